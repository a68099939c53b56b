//! Confinement of a parser child: from its first file on it reaches no file, no network and no other process.
//!
//! Invariant: only descriptors that are open already can be used. Threads started afterwards inherit the confinement.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Parts of the confinement that the kernel enforces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Landlock: no file or folder can be opened, changed or listed.
    pub landlock: bool,
    /// seccomp: no files, sockets, programs, processes or debugging.
    pub seccomp: bool,
}

impl Confinement {
    pub fn is_complete(self) -> bool {
        self.landlock && self.seccomp
    }
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.landlock, self.seccomp) {
            (true, true) => "Landlock and seccomp",
            (false, true) => "seccomp without Landlock",
            (true, false) => "Landlock without seccomp",
            (false, false) => "neither Landlock nor seccomp",
        })
    }
}

/// Confines the calling thread, and all threads that it starts later, as far as the kernel can.
pub(super) fn confine_this_thread() -> Confinement {
    #[cfg(target_os = "linux")]
    {
        Confinement { landlock: linux::forbid_files(), seccomp: linux::forbid_calls() }
    }
    #[cfg(not(target_os = "linux"))]
    {
        Confinement::default()
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope};
    use seccompiler::{
        BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
        TargetArch, apply_filter,
    };
    use std::collections::BTreeMap;

    /// Newest rights that are asked for; an older kernel enforces those that it knows.
    const LANDLOCK_ABI: ABI = ABI::V6;

    /// Calls that fail: opening and changing files, sockets, programs, other processes, and interfaces of the kernel that have
    /// been ways around such lists.
    const DENIED: &[i64] = &[
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_open_by_handle_at,
        libc::SYS_memfd_create,
        libc::SYS_unlinkat,
        libc::SYS_renameat2,
        libc::SYS_linkat,
        libc::SYS_symlinkat,
        libc::SYS_mkdirat,
        libc::SYS_mknodat,
        libc::SYS_fchmodat,
        libc::SYS_fchownat,
        libc::SYS_truncate,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_sendmmsg,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_pidfd_send_signal,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_setns,
        libc::SYS_unshare,
        libc::SYS_kcmp,
        libc::SYS_shmget,
        libc::SYS_shmat,
        libc::SYS_msgget,
        libc::SYS_semget,
        libc::SYS_mq_open,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_personality,
    ];

    /// The same, for calls that only x86-64 has beside those.
    #[cfg(target_arch = "x86_64")]
    const DENIED_OLD: &[i64] = &[
        libc::SYS_open,
        libc::SYS_creat,
        libc::SYS_fork,
        libc::SYS_vfork,
        libc::SYS_unlink,
        libc::SYS_rename,
        libc::SYS_link,
        libc::SYS_symlink,
        libc::SYS_mkdir,
        libc::SYS_rmdir,
        libc::SYS_mknod,
        libc::SYS_chmod,
        libc::SYS_chown,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const DENIED_OLD: &[i64] = &[];

    /// Bit of the numbers of the x32 interface, and the calls that it numbers differently. The filter would not know them.
    #[cfg(target_arch = "x86_64")]
    const X32: Option<(i64, std::ops::RangeInclusive<i64>)> = Some((0x4000_0000, 512..=547));
    #[cfg(not(target_arch = "x86_64"))]
    const X32: Option<(i64, std::ops::RangeInclusive<i64>)> = None;

    /// Landlock without a rule: everything that it handles is denied. `false` if the kernel lacks it.
    pub(super) fn forbid_files() -> bool {
        let restrict = || -> Result<RulesetStatus, RulesetError> {
            let ruleset = Ruleset::default()
                .handle_access(AccessFs::from_all(LANDLOCK_ABI))?
                .handle_access(AccessNet::from_all(LANDLOCK_ABI))?
                .scope(Scope::from_all(LANDLOCK_ABI))?;
            Ok(ruleset.create()?.restrict_self()?.ruleset)
        };
        restrict().is_ok_and(|status| status != RulesetStatus::NotEnforced)
    }

    /// seccomp filters. `false` if the kernel lacks them.
    pub(super) fn forbid_calls() -> bool {
        let apply = || -> Result<(), seccompiler::Error> {
            // Without this call, whose flags lie in memory, threads are started by `clone`, whose flags are visible.
            apply_filter(&program(BTreeMap::from([(libc::SYS_clone3, vec![])]), libc::ENOSYS)?)?;
            apply_filter(&program(denied_calls()?, libc::EPERM)?)
        };
        apply().is_ok()
    }

    /// Denied calls with the arguments for which they are denied; none: for all.
    fn denied_calls() -> Result<BTreeMap<i64, Vec<SeccompRule>>, BackendError> {
        let numbers = DENIED.iter().chain(DENIED_OLD).copied();
        let x32 = X32.into_iter().flat_map(|(bit, own)| {
            let shared = DENIED.iter().chain(DENIED_OLD).copied();
            own.chain(shared).chain([libc::SYS_clone, libc::SYS_clone3, libc::SYS_tgkill]).map(move |number| bit | number)
        });
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = numbers.chain(x32).map(|number| (number, vec![])).collect();
        // Threads may be started, processes not.
        let thread = libc::CLONE_THREAD as u64;
        let no_thread = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(thread), 0)?;
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![no_thread])?]);
        // An abort sends a signal to this process.
        let own = std::process::id().into();
        let not_own = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, own)?;
        rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![not_own])?]);
        Ok(rules)
    }

    fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Result<BpfProgram, BackendError> {
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno.cast_unsigned()), arch)?.try_into()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::{
        fs::{self, File},
        io::{self, ErrorKind},
        net::{TcpListener, TcpStream, UdpSocket},
        os::unix::net::UnixStream,
        process::Command,
        thread,
    };

    /// Attempts at what a parser child must not do, by name.
    fn attempts() -> Vec<(&'static str, io::Result<()>)> {
        let mut attempts = attempts_on_files();
        attempts.extend([
            ("UDP socket", UdpSocket::bind("127.0.0.1:0").map(drop)),
            ("listening", TcpListener::bind("127.0.0.1:0").map(drop)),
            ("connection", TcpStream::connect("127.0.0.1:1").map(drop)),
            ("socket pair", UnixStream::pair().map(drop)),
            ("program", Command::new("/bin/true").spawn().map(drop)),
            ("signal to a thread of the parent", signal_thread(std::os::unix::process::parent_id())),
        ]);
        attempts
    }

    /// Asks whether a signal may be sent to the main thread of a process.
    #[expect(unsafe_code, reason = "no safe call sends a signal to a thread")]
    fn signal_thread(process: u32) -> io::Result<()> {
        let id = i64::from(process);
        // SAFETY: the call takes numbers only, and signal 0 is never delivered.
        match unsafe { libc::syscall(libc::SYS_tgkill, id, id, 0i64) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    fn attempts_on_files() -> Vec<(&'static str, io::Result<()>)> {
        let parent = format!("/proc/{}/environ", std::os::unix::process::parent_id());
        vec![
            ("file", File::open("/etc/passwd").map(drop)),
            ("environment of the parent", fs::read(parent).map(drop)),
            ("folder", fs::read_dir("/").map(drop)),
            ("new file", File::create("/tmp/autosint-parser-child").map(drop)),
        ]
    }

    fn assert_refused(attempts: Vec<(&'static str, io::Result<()>)>) {
        for (name, result) in attempts {
            assert_eq!(result.map_err(|error| error.kind()), Err(ErrorKind::PermissionDenied), "{name}");
        }
    }

    #[test]
    fn a_confined_thread_opens_no_file_no_socket_and_no_program() {
        let confined = thread::spawn(|| {
            let confinement = confine_this_thread();
            assert!(confinement.seccomp, "{confinement}");
            assert_refused(attempts());
            signal_thread(std::process::id()).unwrap();
            // Parsers run on threads of their own, which inherit it.
            let inherited = thread::spawn(attempts).join().unwrap();
            assert_refused(inherited);
        });
        confined.join().unwrap();
    }

    #[test]
    fn landlock_alone_refuses_files() {
        thread::spawn(|| match linux::forbid_files() {
            true => assert_refused(attempts_on_files()),
            false => println!("skipped: this kernel has no Landlock"),
        })
        .join()
        .unwrap();
    }
}
