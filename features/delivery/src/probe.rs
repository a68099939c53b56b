//! Check of the mail server in `autosint doctor --probe`: a test mail to its own sender.

use crate::{
    mail_server::MailServer,
    outbox::mailer,
    render::render_test,
    smtp::{Mailer, OutgoingMail, SendFailure},
    store::DeliveryStore,
};
use engine::StoreResult;
use feature::{Probe, ProbeFinding, Web};

/// Check of the feature.
pub const PROBE: Probe = Probe { name: "mail", run: |web| Box::pin(async move { check(&web).await }) };

/// Sends a test mail; none where no mail server is set.
pub async fn check(web: &Web) -> StoreResult<Option<ProbeFinding>> {
    let Some(server) = DeliveryStore::new(web).server().await?.filter(MailServer::sends_mail) else { return Ok(None) };
    let sent = match mailer(web, &server).await? {
        Ok(mailer) => send_test(web, &server, &mailer).await,
        Err(failure) => Err(failure),
    };
    let finding = match sent {
        Ok(()) => ProbeFinding { is_ok: true, note: format!("{}: a test was sent to {}", server.describe(), server.sender) },
        Err(failure) => ProbeFinding { is_ok: false, note: format!("{}: {}", server.describe(), failure.cause) },
    };
    Ok(Some(finding))
}

async fn send_test(web: &Web, server: &MailServer, mailer: &Mailer) -> Result<(), SendFailure> {
    let test = OutgoingMail {
        message_id: format!("<{}@{}>", web.engine.ids.next(), server.domain()),
        to: &server.sender,
        text: render_test(&server.site),
        date: web.engine.clock.now(),
        unsubscribe: None,
    };
    mailer.send(test).await
}
