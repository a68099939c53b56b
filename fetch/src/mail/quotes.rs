//! Own text of a mail, and its quotations of others.
//!
//! Recognised by structure, so that languages need no lists: a block of header lines ("Fra: …"), a line with an address or a date
//! that ends with a colon ("Am … schrieb …:"), and lines that begin with `>`.
//!
//! Invariant: a quoted text is never given to the sender of the mail. Whose it is, is read from its head or stays unknown.

mod header_block;
mod introduction;

use domain::PublicationDate;
use header_block::HeaderBlock;
use introduction::Introduction;

/// Depth of `>` that is taken apart.
const MAX_LEVELS: usize = 16;

/// Own text of a mail, and its quotations in their order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Quotes {
    pub own: String,
    pub quoted: Vec<Quoted>,
}

/// Text of another mail, with what is said of it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Quoted {
    pub head: QuotedHead,
    pub text: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct QuotedHead {
    /// Name, or address without one.
    pub sender: Option<String>,
    pub date: Option<PublicationDate>,
    pub subject: Option<String>,
}

/// Takes a text apart; `subject` is that of the mail.
pub(super) fn split(text: &str, subject: Option<&str>) -> Quotes {
    let mut splitter = Splitter { subject, quoted: Vec::new() };
    let lines: Vec<&str> = text.lines().collect();
    let own = splitter.body(&lines, 0);
    splitter.quoted.retain(|quoted| !quoted.text.is_empty());
    Quotes { own, quoted: splitter.quoted }
}

struct Splitter<'a> {
    /// Subject of the mail.
    subject: Option<&'a str>,
    quoted: Vec<Quoted>,
}

impl Splitter<'_> {
    /// Own text of some lines; quotations in them are kept apart.
    fn body(&mut self, lines: &[&str], level: usize) -> String {
        let mut heads = self.heads(lines);
        heads.push(Head { start: lines.len(), end: lines.len(), head: QuotedHead::default() });
        let own = self.without_marked(&lines[..heads[0].start], level);
        for pair in heads.windows(2) {
            let at = self.begin(pair[0].head.clone());
            let text = self.without_marked(&lines[pair[0].end..pair[1].start], level);
            self.quoted[at].add(&text);
        }
        own
    }

    /// Heads of quotations that go on to the next head, or to the end.
    fn heads(&self, lines: &[&str]) -> Vec<Head> {
        let mut heads = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let starts =
                at == 0 || is_blank(lines[at - 1]) || is_rule(lines[at - 1]) || lines[at - 1].trim_end().ends_with(':');
            let head = Some(lines[at]).filter(|line| starts && !is_marked(line)).and_then(|_| {
                let above = lines[..at].iter().rev().take(3).find(|line| !is_blank(line));
                let block = HeaderBlock::read(&lines[at..], above.is_some_and(|line| is_rule(line)), self.subject);
                let block = block.map(|block| Head { start: start_of(lines, at), end: at + block.lines, head: block.head });
                block.or_else(|| {
                    let found = Introduction::read(&lines[at..])?;
                    let next = lines[at + found.lines..].iter().find(|line| !is_blank(line))?;
                    let is_head = found.is_certain && !is_marked(next);
                    is_head.then(|| Head { start: at, end: at + found.lines, head: found.head })
                })
            });
            at = head.as_ref().map_or(at + 1, |head| head.end);
            heads.extend(head);
        }
        heads
    }

    /// Text without the runs of lines that begin with `>`.
    fn without_marked(&mut self, lines: &[&str], level: usize) -> String {
        let mut own: Vec<&str> = Vec::new();
        let mut last = QuotedHead::default();
        let mut at = 0;
        while at < lines.len() {
            if !is_marked(lines[at]) {
                own.push(lines[at]);
                at += 1;
                continue;
            }
            let end = run_end(lines, at);
            while own.last().is_some_and(|line| is_blank(line)) {
                own.pop();
            }
            if let Some(found) = Introduction::before(&own) {
                own.truncate(own.len() - found.lines);
                last = found.head;
            }
            own.push("");
            let inner: Vec<&str> = lines[at..end].iter().map(|line| unmarked(line)).collect();
            let quoted = self.begin(last.clone());
            let text = match level < MAX_LEVELS {
                true => self.body(&inner, level + 1),
                false => inner.join("\n"),
            };
            self.quoted[quoted].add(&text);
            at = end;
        }
        own.join("\n").trim_matches('\n').trim_end().to_owned()
    }

    /// Place of the quotation with this head, which is new or goes on.
    fn begin(&mut self, head: QuotedHead) -> usize {
        self.quoted.iter().position(|quoted| quoted.head == head).unwrap_or_else(|| {
            self.quoted.push(Quoted { head, text: String::new() });
            self.quoted.len() - 1
        })
    }
}

impl Quoted {
    fn add(&mut self, text: &str) {
        if !self.text.is_empty() && !text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }
}

/// Head of a quotation, from its first line to that of its text.
struct Head {
    start: usize,
    end: usize,
    head: QuotedHead,
}

/// First line of the rule, and the short line such as "Forwarded message:", above a block.
fn start_of(lines: &[&str], block: usize) -> usize {
    let mut start = block;
    while start > 0
        && start + 3 > block
        && (is_blank(lines[start - 1]) || is_rule(lines[start - 1]) || is_label(lines[start - 1]))
    {
        start -= 1;
    }
    start
}

fn is_label(line: &str) -> bool {
    let line = line.trim();
    line.ends_with(':') && line.split_whitespace().count() <= 4 && !line.contains(|c: char| c.is_ascii_digit())
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// "________", or words between dashes such as "-----Original Message-----".
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_dash = |c: char| "-_=*\u{2014}\u{2500}".contains(c);
    let dashes = |text: &str| text.chars().filter(|c| is_dash(*c)).count();
    let bare = line.trim_matches(is_dash);
    dashes(line) >= 4 && line.starts_with(is_dash) && line.ends_with(is_dash) && bare.split_whitespace().count() <= 6
}

fn is_marked(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

fn unmarked(line: &str) -> &str {
    let line = line.trim_start().trim_start_matches(['\u{feff}']);
    let line = line.strip_prefix('>').unwrap_or(line);
    line.strip_prefix(' ').unwrap_or(line)
}

/// End of a run of marked lines, with the blank lines inside it.
fn run_end(lines: &[&str], start: usize) -> usize {
    let mut end = start;
    for (at, line) in lines.iter().enumerate().skip(start) {
        match (is_marked(line), is_blank(line)) {
            (true, _) => end = at + 1,
            (false, true) => {}
            (false, false) => break,
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Own text, then "sender, day: text" of each quotation; lines are joined by `/`.
    fn read(text: &str, subject: &str) -> Vec<String> {
        let Quotes { own, quoted } = split(text, Some(subject));
        let one = |quoted: &Quoted| {
            let day = quoted.head.date.map_or("?".to_owned(), |date| date.value.to_string()[..10].to_owned());
            format!("{}, {day}: {}", quoted.head.sender.as_deref().unwrap_or("?"), quoted.text.replace('\n', "/"))
        };
        std::iter::once(own.replace('\n', "/")).chain(quoted.iter().map(one)).collect()
    }

    #[test]
    fn header_blocks_are_known_by_their_form() {
        let blocks = [
            "________________________________\nFra: Port Office <o@port.example>\nSendt: 4. mai 2031 12:10\nTil: Ola Brekke <ola@x.example>\nEmne: Ferry",
            "From: Port Office [mailto:o@port.example]\nSent: Sunday, May 4, 2031 8:00 AM\nTo: Marta Holm\nSubject: Ferry",
            "-----Ursprüngliche Nachricht-----\nVon: Port Office\nGesendet: Sonntag, 4. Mai 2031 12:10\nAn: Ola Brekke; Kai\nBetreff: Ferry",
            "-------- Weitergeleitete Nachricht --------\nBetreff: Ferry\nDatum: Sun, 4 May 2031 12:10:00 +0200\nVon: Port Office <o@port.example>\nAn: Ola <ola@x.example>",
            "---------- Forwarded message ---------\nVon: Port Office <o@port.example>\nDate: So., 4. Mai 2031 um 12:10 Uhr\nSubject: Ferry\nTo: <ola@x.example>",
            "Begin forwarded message:\n\nFrom: Port Office <o@port.example>\nSubject: Re: Ferry\nDate: 4 May 2031 at 12:10:00 CEST\nTo: ola@x.example",
            "De : Port Office <o@port.example>\nEnvoyé : dimanche 4 mai 2031 12:10\nÀ : Ola Brekke\nObjet : Ferry",
            "От: Port Office <o@port.example>\nОтправлено: 4 мая 2031 г. 12:10\nКому: Ola Brekke <ola@x.example>\nТема: Ferry",
            "*From:* Port Office <o@port.example>\n*Date:* 4 May 2031 12:10\n*To:* Ola <ola@x.example>,\n kai@x.example\n*Subject:* Ferry",
            "发件人: Port Office <o@port.example>\n发送时间: 2031年5月4日 12:10\n收件人: Ola <ola@x.example>\n主题: Ferry",
            "Lähettäjä: Port Office\nLähetetty: sunnuntai 4. toukokuuta 2031 12:10\nVastaanottaja: Ola Brekke\nAihe: Something else",
            "差出人: Port Office\n送信日時: 2031年5月4日 12:10\n宛先: Ola Brekke\n件名: Ferry",
            // No key of this language is known.
            "______________\nGerinnil: Port Office\nSendinta: 4 May 2031 12:10\nVeldan: Ola <ola@x.example>\nKalem: Ferry",
            "Kalem: Re: Ferry\nSendinta: 4 May 2031 12:10\nGerinnil: Port Office <o@port.example>\nVeldan: Ola <ola@x.example>",
        ];
        for block in blocks {
            let text = format!("I refuse.\n\n{block}\n\nAll agreed.\nNote: nine piles.\n");
            let expected = ["I refuse.", "Port Office, 2031-05-04: All agreed./Note: nine piles."];
            assert_eq!(read(&text, "SV: Ferry"), expected, "{block}");
        }
    }

    #[test]
    fn lists_of_a_mail_are_no_header_blocks() {
        for text in [
            "Please come.\n\nPlace: Town hall\nDate: 4 May 2031\nTime: 10:00\nTopic: Ferry\n\nBring the plan.",
            "When: 4 May 2031 10:00\nWhere: Town hall\nContact: ann@x.example\n\nBring the plan.",
            "From: 4 May 2031\nTo: 6 May 2031\nPlace: Brae\n\nBring the plan.",
            "We heard this on 4 May 2031:\n\nthe ferry stops.",
            "Kind regards\n\nName: Ann Vale\nPhone: 0123 456\nMail: ann@x.example",
        ] {
            assert_eq!(read(text, "Ferry plan"), [text.replace('\n', "/")]);
        }
    }

    #[test]
    fn introductions_name_the_quoted_sender() {
        for line in [
            "On Sun, 4 May 2031 at 10:00, Port Office <o@port.example> wrote:",
            "On Sun, 4 May 2031 at 10:00, Port Office\n<o@port.example> wrote:",
            "Am 04.05.2031 um 10:00 schrieb Port Office:",
            "Am So., 4. Mai 2031 um 10:00 Uhr schrieb Port Office <\no@port.example>:",
            "Le dim. 4 mai 2031 à 10:00, Port Office <o@port.example> a écrit :",
            "El dom, 4 may 2031 a las 10:00, Port Office (<o@port.example>) escribió:",
            "Den sön 4 maj 2031 kl 10:00 skrev Port Office <o@port.example>:",
            "Op zo 4 mei 2031 om 10:00 schreef Port Office <o@port.example>:",
            "W dniu 4.05.2031 o 10:00, Port Office pisze:",
            "вс, 4 мая 2031 г. в 10:00, Port Office <o@port.example>:",
            "2031年5月4日(日) 10:00 Port Office <o@port.example>:",
            "Port Office <o@port.example> wrote on 4 May 2031:",
        ] {
            let marked = format!("I refuse.\n\n{line}\n> All agreed.\n>\n> Nine piles.\n");
            assert_eq!(
                read(&marked, "Re: Ferry"),
                ["I refuse.", "Port Office, 2031-05-04: All agreed.//Nine piles."],
                "{line}"
            );
            if line.contains('@') {
                let bare = format!("I refuse.\n\n{line}\n\nAll agreed.\n");
                assert_eq!(read(&bare, "Re: Ferry"), ["I refuse.", "Port Office, 2031-05-04: All agreed."], "{line}");
            }
        }
    }

    #[test]
    fn answers_between_the_lines_and_quotations_within_quotations_are_kept_apart() {
        let text = "On 5 May 2031, Jon Ravn <j@x.example> wrote:\n> First point.\n\nI disagree.\n\n> On 4 May 2031, Port Office <o@port.example> wrote:\n\
            >> All agreed.\n> Second point.\nNo.\n\n> Third point.";
        let expected = [
            "I disagree.//No.",
            "Jon Ravn, 2031-05-05: First point.//Second point.//Third point.",
            "Port Office, 2031-05-04: All agreed.",
        ];
        assert_eq!(read(text, "Re: Ferry"), expected);
        assert_eq!(read("See below.\n\n> All agreed.", "Ferry"), ["See below.", "?, ?: All agreed."]);
        assert_eq!(read("The minister wrote:\n> All agreed.", "Ferry"), ["The minister wrote:", "?, ?: All agreed."]);
        let deep = format!("Mine.\n{} Deep.", ">".repeat(5_000));
        assert_eq!(read(&deep, "Ferry").len(), 2);
    }

    #[test]
    fn a_thread_of_blocks_has_one_quotation_per_mail() {
        let block = |name: &str, day: u32| {
            format!("From: {name} <{name}@x.example>\nSent: {day} May 2031 10:00\nTo: All\nSubject: Ferry\n")
        };
        let text = format!("Mine.\n\n{}\nOne.\n\n{}\nTwo.\n\n{}\nThree.", block("Ann", 6), block("Bo", 5), block("Ann", 4));
        let expected = ["Mine.", "Ann, 2031-05-06: One.", "Bo, 2031-05-05: Two.", "Ann, 2031-05-04: Three."];
        assert_eq!(read(&text, "RE: Ferry"), expected);
    }
}
