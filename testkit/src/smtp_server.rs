//! Loopback server that speaks SMTP, as far as a client of mail needs it.

use std::{
    io,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

/// Behaviour of the server towards a mail.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SmtpBehaviour {
    Accept,
    /// Refuses every recipient for good.
    RefuseRecipient,
    /// Takes the mail and closes the connection without a reply.
    Vanish,
}

/// Server with what it received.
pub struct SmtpServer {
    /// Port on this machine.
    pub port: u16,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    mails: Mutex<Vec<Vec<u8>>>,
    /// Lines with credentials, each with whether they came over TLS.
    credentials: Mutex<Vec<(String, bool)>>,
}

impl SmtpServer {
    /// Starts a server on a free port of this machine; with an acceptor it offers STARTTLS, and takes mail after that alone.
    pub async fn start(behaviour: SmtpBehaviour, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let (port, log) = (listener.local_addr().unwrap().port(), Arc::new(Log::default()));
        let received = log.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (received, tls) = (received.clone(), tls.clone());
                // A connection that breaks is one of the tested cases.
                tokio::spawn(async move { serve(stream, behaviour, tls, &received).await.ok() });
            }
        });
        Self { port, log }
    }

    /// Returns the mails in the order of their arrival.
    pub fn mails(&self) -> Vec<Vec<u8>> {
        self.log.mails.lock().unwrap().clone()
    }

    /// Returns the mails since the last call, in the order of their arrival.
    pub fn take_mails(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut *self.log.mails.lock().unwrap())
    }

    /// Returns the lines with credentials, each with whether it came over TLS.
    pub fn credentials(&self) -> Vec<(String, bool)> {
        self.log.credentials.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, behaviour: SmtpBehaviour, tls: Option<TlsAcceptor>, log: &Log) -> io::Result<()> {
    send(&mut stream, "220 mail.example\r\n").await?;
    match tls {
        Some(acceptor) => {
            if let Some(stream) = talk(stream, behaviour, Transport::BeforeTls, log).await? {
                talk(acceptor.accept(stream).await?, behaviour, Transport::Tls, log).await?;
            }
        }
        None => drop(talk(stream, behaviour, Transport::Plain, log).await?),
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Transport {
    BeforeTls,
    Tls,
    Plain,
}

/// Answers the commands of a client; returns the stream when it asks for TLS.
async fn talk<S>(stream: S, behaviour: SmtpBehaviour, transport: Transport, log: &Log) -> io::Result<Option<S>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        let command = line.to_ascii_uppercase();
        let reply = match command.split_whitespace().next().unwrap_or_default() {
            "EHLO" if transport == Transport::BeforeTls => "250-mail.example\r\n250 STARTTLS\r\n",
            "EHLO" => "250-mail.example\r\n250 AUTH PLAIN\r\n",
            "STARTTLS" if transport == Transport::BeforeTls => {
                send(reader.get_mut(), "220 go ahead\r\n").await?;
                return Ok(Some(reader.into_inner()));
            }
            "AUTH" => {
                log.credentials.lock().unwrap().push((line.trim_end().to_owned(), transport == Transport::Tls));
                "235 welcome\r\n"
            }
            "MAIL" | "RCPT" | "DATA" if transport == Transport::BeforeTls => "530 use STARTTLS\r\n",
            "RCPT" if behaviour == SmtpBehaviour::RefuseRecipient => "550 no such person\r\n",
            "DATA" => {
                send(reader.get_mut(), "354 go ahead\r\n").await?;
                log_mail(&mut reader, log).await?;
                if behaviour == SmtpBehaviour::Vanish {
                    return Ok(None);
                }
                "250 taken\r\n"
            }
            "QUIT" => {
                send(reader.get_mut(), "221 bye\r\n").await?;
                return Ok(None);
            }
            _ => "250 ok\r\n",
        };
        send(reader.get_mut(), reply).await?;
    }
}

async fn send<S: AsyncWrite + Unpin>(stream: &mut S, reply: &str) -> io::Result<()> {
    stream.write_all(reply.as_bytes()).await?;
    stream.flush().await
}

async fn log_mail<S: AsyncRead + Unpin>(reader: &mut BufReader<S>, log: &Log) -> io::Result<()> {
    let mut mail = vec![];
    loop {
        let mut line = vec![];
        if reader.read_until(b'\n', &mut line).await? == 0 {
            // A mail without its end is not taken: the client is gone.
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == b".\r\n" {
            break;
        }
        mail.extend_from_slice(&line);
    }
    log.mails.lock().unwrap().push(mail);
    Ok(())
}
