// Invented documents for the journeys, about the ferry of a harbour town.

type Paper = { name: string; mimeType: string; buffer: Buffer };

const paper = (name: string, text: string): Paper => ({ name, mimeType: "text/markdown", buffer: Buffer.from(text) });

export const QUESTION = "Why did the Orsk ferry stop running?";

/** Two reports, and a broken PDF. */
export const FERRY: Paper[] = [
  paper(
    "harbour-gazette.md",
    "# Ferry to Orsk stops\n\nHarbour Gazette, 4 March 2031\n\n" +
      "The Orsk ferry stopped running on Monday because its engine failed, the harbour master Ilse Brandt said. " +
      "The Tarn Shipping Company said that repairs would take three weeks.\n",
  ),
  paper(
    "coast-courier.txt",
    "Coast Courier, 5 March 2031\n\n" +
      "The Orsk ferry stopped running because the town council of Mellin had not paid the Tarn Shipping Company since December, " +
      "according to the council member Peer Olsson. The company denied that money was the reason.\n",
  ),
  { name: "timetable.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\nthis is where it broke off") },
];

/** Many short reports, enough to stop the investigation midway. */
export const LOGBOOK: Paper[] = Array.from({ length: 200 }, (_, index) => {
  const day = index + 1;
  return paper(
    `logbook-${String(day).padStart(3, "0")}.md`,
    `# Day ${day} on the quay\n\nMellin Observer\n\n` +
      `On day ${day} the harbour master Ilse Brandt counted ${day * 7 + 3} crates on the quay of Mellin. ` +
      `The baker Jonna Reed said that flour for ${day + 2} days was left. ` +
      `The Fulmar Crane Company promised a second crane in ${250 - index} days. Peer Olsson said the council would decide in ${day + 4} days.\n`,
  );
});
