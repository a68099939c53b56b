//! Heat pictures of the tensions: matrix, map, time slider and calendar, with the data types that server and browser share.
//!
//! Invariant: the server renders a whole table with links. The browser adds keys, the slider and the map to the same markup.

// Views are types nested as deep as their markup.
#![recursion_limit = "256"]

mod address;
mod board;
mod browser;
mod calendar;
mod map;
mod matrix;
mod picture;
mod reading;
mod slider;

pub use address::{BOARD_FIELDS, BoardState, BoardView};
pub use board::{Area as Place, HeatBoard, HeatSeries, Theme};
pub use calendar::{CALENDAR_DAYS, Calendar, CalendarPicture};
pub use picture::HeatBoardPicture;
pub use reading::{direction, hundredths, percent};
