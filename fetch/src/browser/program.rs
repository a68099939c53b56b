//! Starting and ending Chromium: where it is, what it is told, and the folder that it may write to.
//!
//! Invariant: whatever Chromium is, it is told to reach nothing by itself; only a context has a proxy that leads anywhere. It ends with this
//! process, however that ends, because the line to it is cut then.

use super::{config::BrowserConfig, line::Line};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    process::{Child, Command},
    time::timeout,
};

/// Where distributions put it.
const USUAL: [&str; 6] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/snap/bin/chromium",
];
/// Chromium speaks to us over its third and fourth file, which nobody else has: they are the first two of what we start.
const PIPED: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;
/// How long one that has cut its line may take to end.
const LAST_WORDS: Duration = Duration::from_secs(5);
const SHELL: &str = "/bin/sh";
/// A proxy at which nobody listens, for all that no page asked for.
const NOWHERE: &str = "http://127.0.0.1:9";
/// Parts of Chromium that speak to the network for reasons of their own, or past a proxy.
const OFF: &str = "MediaRouter,DialMediaRouteProvider,CastMediaRouteProvider,OptimizationHints,Translate,\
                   AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,\
                   AsyncDns,DnsOverHttps,WebTransport,WebOTP,SpeculationRulesPrefetchFuture,GlobalMediaControls";
const SWITCHES: [&str; 31] = [
    "--headless=new",
    "--remote-debugging-pipe",
    // Nothing goes past the proxy: not loopback, not names, not UDP.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-pings",
    // Nothing is told to anybody by the browser itself.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-notifications",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    // Nothing is kept, shown or asked for.
    "--deny-permission-prompts",
    "--disable-dev-shm-usage",
    "--disable-file-system",
    "--disable-gpu",
    "--disable-print-preview",
    "--disable-speech-api",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// Why there is no browser.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("rendering pages is switched off (`fetch.browser.enabled`)")]
    Off,
    #[error("no Chromium is installed; install one, or name it in `fetch.browser.program`")]
    NotFound,
    #[error("{0} (`fetch.browser.program`) is not there")]
    Missing(PathBuf),
    #[error("the folder {0} for the browser's files cannot be used: {1}")]
    Folder(PathBuf, io::Error),
    #[error("{0} cannot be started: {1}")]
    Start(PathBuf, io::Error),
    #[error("{program} ended at once ({status}){hint}")]
    Ended { program: PathBuf, status: String, hint: &'static str },
    #[error("{0} did not answer in time (`fetch.browser.launch_timeout_ms`)")]
    Silent(PathBuf),
}

/// A Chromium that runs, with its folder. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    folder: PathBuf,
}

/// The program that would be run.
pub fn find(config: &BrowserConfig) -> Result<PathBuf, LaunchError> {
    if !config.enabled {
        return Err(LaunchError::Off);
    }
    if !config.program.as_os_str().is_empty() {
        let found = config.program.is_file();
        return if found { Ok(config.program.clone()) } else { Err(LaunchError::Missing(config.program.clone())) };
    }
    USUAL.iter().map(PathBuf::from).find(|place| place.is_file()).ok_or(LaunchError::NotFound)
}

/// Whether Chromium has to do without its sandbox, because this process runs as root.
pub fn lacks_sandbox() -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
    }
    #[cfg(not(target_os = "linux"))]
    {
        false
    }
}

impl Process {
    /// Starts Chromium with `folder` for its files, and waits until it answers; with the line to it and its name for itself.
    pub async fn start(config: &BrowserConfig, folder: PathBuf) -> Result<(Self, Line, String), LaunchError> {
        let program = find(config)?;
        make_private(&folder).map_err(|error| LaunchError::Folder(folder.clone(), error))?;
        let mut child =
            command(&program, config, &folder).spawn().map_err(|error| LaunchError::Start(program.clone(), error))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = Self { child, folder };
        let Some((to, from)) = pipes else { return Err(process.ended(program).await) };
        let mut line = Line::new(to, from);
        let greeted = timeout(Duration::from_millis(config.launch_timeout_ms), line.greet()).await;
        match greeted {
            Ok(Ok(name)) => Ok((process, line, name)),
            Ok(Err(_)) => {
                drop(line);
                Err(process.ended(program).await)
            }
            Err(_) => Err(LaunchError::Silent(program)),
        }
    }

    /// Its process id, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it, and returns when it is gone. Its helpers end with it.
    pub async fn end(mut self) {
        // It has ended by itself: all the better.
        let _ = self.child.kill().await;
    }

    async fn ended(mut self, program: PathBuf) -> LaunchError {
        // Without its line it ends by itself.
        let status = match timeout(LAST_WORDS, self.child.wait()).await {
            Ok(status) => status,
            Err(_) => return LaunchError::Silent(program),
        };
        let hint = match lacks_sandbox() {
            true => "",
            false => {
                "; its sandbox may be forbidden here: allow user namespaces to this person, or switch `fetch.browser.enabled` off"
            }
        };
        LaunchError::Ended { program, status: status.as_ref().map_or("unknown".into(), ExitStatus::to_string), hint }
    }
}

fn command(program: &Path, config: &BrowserConfig, folder: &Path) -> Command {
    let mut command = Command::new(SHELL);
    command
        .args(["-c", PIPED])
        .arg(program)
        .args(SWITCHES)
        .arg(format!("--proxy-server={NOWHERE}"))
        .arg(format!("--disable-features={OFF}"))
        .arg(format!("--js-flags=--max-old-space-size={}", config.max_script_memory_mib))
        .arg(format!("--user-data-dir={}", folder.display()))
        .args(lacks_sandbox().then_some("--no-sandbox"))
        .arg("about:blank")
        // No key of ours, and nothing of this person's desktop.
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", folder)
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    command
}

impl Drop for Process {
    /// Chromium's helper processes end when it does.
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        remove_later(self.folder.clone());
    }
}

/// Chromium's helpers write until the kernel has ended them.
fn remove_later(folder: PathBuf) {
    std::thread::spawn(move || {
        for _ in 0..20 {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => std::thread::sleep(Duration::from_millis(100)),
                _ => return,
            }
        }
    });
}

/// Removes what the browsers of programs have left that were killed: folders begin with the id of the process that they were made for.
pub(super) fn clear_dead(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.split_once('-').and_then(|(id, _)| id.parse::<u32>().ok());
        if cfg!(target_os = "linux") && owner.is_some_and(|id| !Path::new("/proc").join(id.to_string()).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[tokio::test]
    async fn what_answers_and_is_no_chromium_is_told_apart_from_what_is_silent() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("chromium");
        // It waits for the end of its line, as Chromium does.
        fs::write(&program, "#!/bin/sh\nprintf '{}\\0' >&4\ncat <&3 >/dev/null\nexit 3\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let config = BrowserConfig { program, launch_timeout_ms: 60_000, ..BrowserConfig::default() };
        let why = Process::start(&config, folder.path().join("files")).await.unwrap_err();
        assert!(matches!(&why, LaunchError::Ended { status, .. } if status.contains('3')), "{why}");
    }
}
