"""System calls that no player needs."""

import resource

from attempts import all_refused, call


class Asks:
    def __init__(self, me):
        pass

    def play(self, board):
        def plain(name):
            return lambda: call(name, 0, 0, 0, 0, 0)

        names = [
            "mount", "chroot", "keyctl", "bpf", "perf_event_open", "io_uring_setup", "memfd_create", "shmget",
            "open_by_handle_at", "userfaultfd", "clone3", "setns", "kexec_load", "add_key", "sethostname",
            "init_module", "reboot", "inotify_init1",
        ]  # fmt: skip
        more = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        all_refused(
            *map(plain, names),
            lambda: call("unshare", 0x10000000),
            lambda: resource.setrlimit(resource.RLIMIT_NPROC, more),
            lambda: resource.setrlimit(resource.RLIMIT_AS, more),
            lambda: resource.setrlimit(resource.RLIMIT_FSIZE, more),
            lambda: call("unshare", 0x10000000),
        )
