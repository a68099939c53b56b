//! Launch and exit of Chromium: executable, switches and profile folder.
//!
//! Invariant: by its switches Chromium itself reaches no network; only a context has a working proxy. It exits with this
//! process, because its DevTools pipe closes.

use super::{config::BrowserConfig, devtools_pipe::DevtoolsPipe};
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

/// Paths used by distributions.
const DEFAULT_PATHS: [&str; 6] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/snap/bin/chromium",
];
/// Wrapper that moves stdin and stdout to file descriptors 3 and 4, where Chromium expects the DevTools pipe.
const SHELL_SCRIPT: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;
/// Longest wait for the exit of a Chromium whose pipe is closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);
const SHELL: &str = "/bin/sh";
/// Proxy address without a listener, for all traffic that no page asked for.
const DEAD_PROXY: &str = "http://127.0.0.1:9";
/// Chromium features with their own network traffic, or traffic that bypasses the proxy.
const DISABLED_FEATURES: &str = "MediaRouter,DialMediaRouteProvider,CastMediaRouteProvider,OptimizationHints,Translate,\
                   AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,\
                   AsyncDns,DnsOverHttps,WebTransport,WebOTP,SpeculationRulesPrefetchFuture,GlobalMediaControls";
const SWITCHES: [&str; 31] = [
    "--headless=new",
    "--remote-debugging-pipe",
    // No traffic bypasses the proxy: no loopback, DNS or UDP.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-pings",
    // The browser itself sends nothing.
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
    // Nothing is stored, shown or prompted for.
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

/// Reason why no browser is running.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("rendering is disabled (`fetch.browser.enabled`)")]
    Off,
    #[error("no Chromium is installed; install one, or name it in `fetch.browser.program`")]
    NotFound,
    #[error("as root Chromium would run without its sandbox; use another account, or set `fetch.browser.allow_root`")]
    Root,
    #[error("{0} (`fetch.browser.program`) does not exist")]
    Missing(PathBuf),
    #[error("the folder {0} for the browser's files cannot be used: {1}")]
    Folder(PathBuf, io::Error),
    #[error("{0} cannot be started: {1}")]
    Start(PathBuf, io::Error),
    #[error("{program} exited at once ({status}){hint}")]
    Ended { program: PathBuf, status: String, hint: &'static str },
    #[error("{0} did not respond in time (`fetch.browser.launch_timeout_ms`)")]
    Silent(PathBuf),
}

/// Chromium process with its profile folder. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct ChromiumProcess {
    child: Child,
    folder: PathBuf,
}

/// Executable that would be started.
pub fn find(config: &BrowserConfig) -> Result<PathBuf, LaunchError> {
    if !config.enabled {
        return Err(LaunchError::Off);
    }
    if lacks_sandbox() && !config.allow_root {
        return Err(LaunchError::Root);
    }
    if !config.program.as_os_str().is_empty() {
        let found = config.program.is_file();
        return if found { Ok(config.program.clone()) } else { Err(LaunchError::Missing(config.program.clone())) };
    }
    DEFAULT_PATHS.iter().map(PathBuf::from).find(|path| path.is_file()).ok_or(LaunchError::NotFound)
}

/// Whether Chromium must run without its sandbox, because this process runs as root.
pub fn lacks_sandbox() -> bool {
    #[cfg(target_os = "linux")]
    {
        rustix::process::geteuid().is_root()
    }
    #[cfg(not(target_os = "linux"))]
    {
        false
    }
}

impl ChromiumProcess {
    /// Starts Chromium with its profile in `folder` and waits for its first reply. Returns its DevTools pipe and user agent,
    /// too.
    pub async fn start(config: &BrowserConfig, folder: PathBuf) -> Result<(Self, DevtoolsPipe, String), LaunchError> {
        let program = find(config)?;
        if lacks_sandbox() {
            tracing::warn!(
                "Chromium started without its sandbox: a page that exploits it acts as root (fetch.browser.allow_root)"
            );
        }
        make_private(&folder).map_err(|error| LaunchError::Folder(folder.clone(), error))?;
        let mut child =
            command(&program, config, &folder).spawn().map_err(|error| LaunchError::Start(program.clone(), error))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = Self { child, folder };
        let Some((to, from)) = pipes else { return Err(process.exit_error(program).await) };
        let mut pipe = DevtoolsPipe::new(to, from);
        let handshake = timeout(Duration::from_millis(config.launch_timeout_ms), pipe.handshake()).await;
        match handshake {
            Ok(Ok(name)) => Ok((process, pipe, name)),
            Ok(Err(_)) => {
                drop(pipe);
                Err(process.exit_error(program).await)
            }
            Err(_) => Err(LaunchError::Silent(program)),
        }
    }

    /// Process id while it runs.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills Chromium and returns when it is gone. Its helper processes exit with it.
    pub async fn end(mut self) {
        // An error means that it has already exited.
        let _ = self.child.kill().await;
    }

    async fn exit_error(mut self, program: PathBuf) -> LaunchError {
        // Chromium exits once its pipe is closed.
        let status = match timeout(EXIT_TIMEOUT, self.child.wait()).await {
            Ok(status) => status,
            Err(_) => return LaunchError::Silent(program),
        };
        let hint = match lacks_sandbox() {
            true => "",
            false => {
                "; its sandbox may be forbidden here: allow user namespaces for this user, or disable `fetch.browser.enabled`"
            }
        };
        LaunchError::Ended { program, status: status.as_ref().map_or("unknown".into(), ExitStatus::to_string), hint }
    }
}

fn command(program: &Path, config: &BrowserConfig, folder: &Path) -> Command {
    let mut command = Command::new(SHELL);
    command
        .args(["-c", SHELL_SCRIPT])
        .arg(program)
        .args(SWITCHES)
        .arg(format!("--proxy-server={DEAD_PROXY}"))
        .arg(format!("--disable-features={DISABLED_FEATURES}"))
        .arg(format!("--js-flags=--max-old-space-size={}", config.max_script_memory_mib))
        .arg(format!("--user-data-dir={}", folder.display()))
        .args(lacks_sandbox().then_some("--no-sandbox"))
        .arg("about:blank")
        // No keys of ours, and no desktop settings of this user.
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

impl Drop for ChromiumProcess {
    /// Chromium's helper processes exit when it does.
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        remove_later(self.folder.clone());
    }
}

/// Removes the profile folder with retries: helper processes may still write to it.
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

/// Removes profile folders of programs that were killed. Folder names start with the owner's process id.
pub(super) fn remove_orphaned_folders(root: &Path) {
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

    #[test]
    fn root_is_refused_unless_the_operator_allows_it() {
        let program = PathBuf::from("/bin/sh");
        let found = |allow_root| find(&BrowserConfig { program: program.clone(), allow_root, ..BrowserConfig::default() });
        assert_eq!(found(true).unwrap(), program);
        match lacks_sandbox() {
            true => assert!(matches!(found(false), Err(LaunchError::Root))),
            false => assert_eq!(found(false).unwrap(), program),
        }
    }

    #[tokio::test]
    async fn a_program_that_is_not_chromium_is_reported_with_its_exit_status() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("chromium");
        // Like Chromium, it waits for the end of its pipe.
        fs::write(&program, "#!/bin/sh\nprintf '{}\\0' >&4\ncat <&3 >/dev/null\nexit 3\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let config = BrowserConfig { program, allow_root: true, launch_timeout_ms: 60_000, ..BrowserConfig::default() };
        let why = ChromiumProcess::start(&config, folder.path().join("files")).await.unwrap_err();
        assert!(matches!(&why, LaunchError::Ended { status, .. } if status.contains('3')), "{why}");
    }
}
