//! Messages, mailboxes and attachments.

use crate::prelude::*;

const MESSAGE: &str = "From: Ana Reis <ana@post.example>\r\nTo: desk@post.example\r\nSubject: =?utf-8?q?Gates_sh=C3=BBt?=\r\n\
    Date: Fri, 14 Mar 2031 09:30:00 +0100\r\nMessage-ID: <1@post.example>\r\nMIME-Version: 1.0\r\n";

fn with_attachments() -> String {
    format!(
        "{MESSAGE}Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
         The gates are shut.\r\n--B\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename=\"../page.html\"\r\n\r\n\
         <html><title>Attached page</title><body><p>Words.</p></body></html>\r\n--B\r\nContent-Type: message/rfc822\r\n\r\n\
         From: Bo <bo@post.example>\r\nSubject: Inner\r\n\r\nInner words.\r\n--B\r\nContent-Type: application/octet-stream\r\n\
         Content-Disposition: attachment; filename=blob.bin\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAwQFBgcICQ==\r\n--B--\r\n"
    )
}

#[tokio::test]
async fn a_message_is_a_document_with_its_head() {
    let document =
        read_one("m.eml", format!("{MESSAGE}Content-Type: text/plain\r\n\r\nThe gates are shut.\r\n").as_bytes()).await;
    assert_eq!(document.title, "Gates shût");
    assert_eq!(document.outlet.as_deref(), Some("Ana Reis"));
    assert_eq!(date(&document), "2031-03-14t08:30:00z minute stated");
    let expected = "From: Ana Reis <ana@post.example>\nTo: desk@post.example\nDate: 2031-03-14T09:30:00+01:00\n\
        Subject: Gates shût\n\nThe gates are shut.";
    assert_eq!(document.text, expected);
    assert_eq!(document.media_type, "message/rfc822");
}

#[tokio::test]
async fn the_html_form_is_read_where_there_is_no_plain_one() {
    let message = format!("{MESSAGE}Content-Type: text/html; charset=utf-8\r\n\r\n<p>The gates</p><p>are <b>shut</b>.</p>");
    let document = read_one("m.eml", message.as_bytes()).await;
    assert!(document.text.ends_with("\n\nThe gates\n\nare shut."), "{}", document.text);
}

#[tokio::test]
async fn attachments_are_documents_of_their_own() {
    let results = read_uploads(&[("m.eml", with_attachments().as_bytes())]).await;
    let expected =
        ["m.eml: Gates shût", "m.eml!page.html: Attached page", "m.eml!attachment-2.eml: Inner", "m.eml!blob.bin! Binary"];
    assert_eq!(lines(&results), expected);
}

#[tokio::test]
async fn each_message_of_a_mailbox_is_one_document() {
    let mailbox = format!(
        "From ana Fri Mar 14 09:30:00 2031\r\n{MESSAGE}\r\nFirst words.\r\n>From the quay.\r\n\r\nFrom bo Sat Mar 15 10:00:00 2031\r\n\
         From: Bo <bo@post.example>\r\nSubject: Second\r\nDate: Sat, 15 Mar 2031 10:00:00 +0000\r\n\r\nSecond words.\r\nFrom here on 2031 is over.\r\n"
    );
    let results = read_uploads(&[("box.mbox", mailbox.as_bytes()), ("plain.txt", mailbox.as_bytes())]).await;
    let expected = ["box.mbox#1: Gates shût", "box.mbox#2: Second", "plain.txt#1: Gates shût", "plain.txt#2: Second"];
    assert_eq!(lines(&results), expected);
    let first = &results[0].as_ref().unwrap().document.text;
    assert!(first.ends_with("First words.\nFrom the quay."), "{first}");
    assert!(results[1].as_ref().unwrap().document.text.ends_with("From here on 2031 is over."));
}

#[tokio::test]
async fn a_quoted_message_is_a_separate_document() {
    let quoted = "I refuse to sign.\r\n\r\n____________________\r\nFra: Port Office <office@port.example>\r\nSendt: 4. mars 2031 12:10\r\n\
        Til: Ana Reis <ana@post.example>\r\nEmne: Gates\r\n\r\nEverybody agreed to the closure.\r\n";
    let plain = format!("{MESSAGE}Content-Type: text/plain\r\n\r\n{quoted}");
    let html = format!(
        "{MESSAGE}Content-Type: text/html\r\n\r\n<p>I refuse to sign.</p><div><p><b>Fra:</b> Port Office &lt;office@port.example&gt;<br>\
         <b>Sendt:</b> 4. mars 2031 12:10<br><b>Til:</b> Ana Reis<br><b>Emne:</b> Gates</p></div><p>Everybody agreed to the closure.</p>"
    );
    let gmail = format!(
        "{MESSAGE}Content-Type: text/html\r\n\r\n<div>I refuse to sign.</div><div>Den 4. mars 2031 kl. 12:10 skrev Port Office \
         &lt;office@port.example&gt;:<br></div><blockquote><p>Everybody agreed to the closure.</p></blockquote>"
    );
    for message in [plain, html, gmail] {
        let results = read_uploads(&[("m.eml", message.as_bytes())]).await;
        let [own, quoted] = &results[..] else { panic!("{:?}", lines(&results)) };
        let (own, quoted) = (&own.as_ref().unwrap().document, &quoted.as_ref().unwrap().document);
        assert!(own.text.ends_with("Subject: Gates shût\n\nI refuse to sign."), "{}", own.text);
        assert_eq!(own.outlet.as_deref(), Some("Ana Reis"));
        assert_eq!((quoted.path.as_str(), quoted.outlet.as_deref()), ("m.eml#quoted-1", Some("Port Office")));
        assert_eq!(date(quoted), "2031-03-04t00:00:00z day stated");
        assert!(quoted.text.starts_with("From: Port Office\nDate: 2031-03-04\n"), "{}", quoted.text);
        assert!(
            quoted.text.ends_with("Quoted by: Ana Reis\nQuoted in: Gates shût\n\nEverybody agreed to the closure."),
            "{}",
            quoted.text
        );
    }
}

#[tokio::test]
async fn bodies_are_read_in_any_charset() {
    let text = "Управление порта закрыло паромную переправу до осени";
    let japanese = encoding_rs::ISO_2022_JP.encode("港は閉鎖された").0.into_owned();
    let bodies: [(&str, Vec<u8>, &str); 5] = [
        ("unknown-8bit", encoding_rs::KOI8_R.encode(text).0.into_owned(), text),
        ("iso-8859-1", text.as_bytes().to_vec(), text),
        ("iso-2022-jp", japanese, "港は閉鎖された"),
        ("gb18030", encoding_rs::GB18030.encode("港口渡轮停航").0.into_owned(), "港口渡轮停航"),
        ("euc-kr", encoding_rs::EUC_KR.encode("나루터 폐쇄").0.into_owned(), "나루터 폐쇄"),
    ];
    for (charset, body, expected) in bodies {
        let message = [format!("{MESSAGE}Content-Type: text/plain; charset={charset}\r\n\r\n").as_bytes(), &body].concat();
        let document = read_one("m.eml", &message).await;
        assert!(document.text.ends_with(&format!("\n\n{expected}")), "{charset}: {}", document.text);
    }
}
