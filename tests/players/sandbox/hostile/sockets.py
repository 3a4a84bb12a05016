"""Sockets of every kind."""

import socket

from attempts import all_refused


def connect(family, kind, address, protocol=0):
    def attempt():
        with socket.socket(family, kind, protocol) as made:
            made.connect(address)

    return attempt


def send_from_a_pair():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"hello", "\0@ABSTRACT@")


class Calls:
    def __init__(self, me):
        pass

    def play(self, board):
        all_refused(
            connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 22)),
            connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 53)),
            connect(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 53)),
            connect(socket.AF_UNIX, socket.SOCK_STREAM, "@UNIX@"),
            connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0@ABSTRACT@"),
            connect(socket.AF_UNIX, socket.SOCK_DGRAM, "\0@ABSTRACT@"),
            connect(socket.AF_NETLINK, socket.SOCK_RAW, (0, 0)),
            connect(socket.AF_INET, socket.SOCK_RAW, ("127.0.0.1", 0), socket.IPPROTO_ICMP),
            connect(socket.AF_PACKET, socket.SOCK_RAW, ("lo", 0)),
            connect(socket.AF_VSOCK, socket.SOCK_STREAM, (2, 1)),
            connect(socket.AF_ALG, socket.SOCK_SEQPACKET, ("hash", "sha256")),
            send_from_a_pair,
        )
