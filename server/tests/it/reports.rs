//! Question and reports that many tests share.

pub const QUESTION: &str = "Who set the fire at the grain store of Port Halen?";
/// The cause of the fire.
pub const CAUSE_REPORT: (&str, &str) = (
    "one.txt",
    "PORT HALEN, March 3, 2031 (Harbour Wire) -- A fire destroyed the grain store of Port Halen on Monday night. \
     The fire was caused by a faulty generator, said fire chief Mara Lindqvist. Two people were injured.",
);
/// The statement of the police.
pub const POLICE_REPORT: (&str, &str) = (
    "two.txt",
    "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the grain \
     store in Port Halen. \"The Red Tide group set the fire,\" said inspector Jonas Vael.",
);
/// A denial.
pub const DENIAL_REPORT: (&str, &str) = (
    "three.txt",
    "PORT HALEN, March 5, 2031 (Inland Post) -- The Red Tide group denied that it set the fire at the grain store of Port \
     Halen. Inspector Jonas Vael said that two members of the Red Tide group had been arrested.",
);
