//! smoltcp over a TAP that is standard input: bulk in, bulk out, HTTP.
//! peer in|out|http plain BYTES ANSWER (see ../../README.md).
//!
//! Buffers are of 1 MB for bulk; no congestion control, which is smoltcp's default. The device is
//! of its own buffers: smoltcp's makes one for each frame.

use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{self, Device, DeviceCapabilities, Medium};
use smoltcp::socket::tcp::{Socket, SocketBuffer, State};
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{EthernetAddress, IpAddress, IpCidr};
use std::fs::File;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

const FRAME: usize = 1514;
/// Frames that one poll takes at most, so that what came is read before more comes.
const BATCH: usize = 64;
const BUFFER: usize = 1 << 20;
const CONNECTIONS: usize = 320;

struct Tap {
    file: ManuallyDrop<File>,
    input: Vec<u8>,
    output: Vec<u8>,
    left: usize,
    more: bool,
}

struct Rx<'a>(&'a [u8]);
struct Tx<'a>(&'a File, &'a mut [u8]);

impl phy::RxToken for Rx<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(self.0)
    }
}

impl phy::TxToken for Tx<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(mut self, len: usize, f: F) -> R {
        let result = f(&mut self.1[..len]);
        // What does not leave is lost, and sent again.
        let _ = self.0.write(&self.1[..len]);
        result
    }
}

impl Device for Tap {
    type RxToken<'a> = Rx<'a>;
    type TxToken<'a> = Tx<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Rx<'_>, Tx<'_>)> {
        if self.left == 0 {
            self.more = true;
            return None;
        }
        let n = self.file.read(&mut self.input).ok()?;
        self.left -= 1;
        Some((Rx(&self.input[..n]), Tx(&self.file, &mut self.output)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Tx<'_>> {
        Some(Tx(&self.file, &mut self.output))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut c = DeviceCapabilities::default();
        c.medium = Medium::Ethernet;
        c.max_transmission_unit = FRAME;
        c
    }
}

fn socket(receive: usize, send: usize, port: u16) -> Socket<'static> {
    let mut s = Socket::new(SocketBuffer::new(vec![0; receive]), SocketBuffer::new(vec![0; send]));
    s.set_nagle_enabled(false);
    s.listen(port).expect("listening");
    s
}

/// One turn of a load; whether all is done.
trait Load {
    fn turn(&mut self, sockets: &mut SocketSet<'static>) -> bool;
}

struct In {
    handle: SocketHandle,
    buffer: Vec<u8>,
}

impl Load for In {
    fn turn(&mut self, sockets: &mut SocketSet<'static>) -> bool {
        let s = sockets.get_mut::<Socket>(self.handle);
        while s.can_recv() {
            s.recv_slice(&mut self.buffer).expect("receiving");
        }
        if s.state() == State::CloseWait {
            s.close();
        }
        s.state() == State::Closed
    }
}

struct Out {
    handle: SocketHandle,
    buffer: Vec<u8>,
    left: usize,
}

impl Load for Out {
    fn turn(&mut self, sockets: &mut SocketSet<'static>) -> bool {
        let s = sockets.get_mut::<Socket>(self.handle);
        while self.left > 0 && s.can_send() {
            let n = self.left.min(self.buffer.len());
            self.left -= s.send_slice(&self.buffer[..n]).expect("sending");
        }
        if self.left == 0 && s.state() == State::Established {
            s.close();
        }
        matches!(s.state(), State::TimeWait | State::Closed)
    }
}

struct Request {
    handle: SocketHandle,
    matched: usize,
    /// Bytes of answers that are owed.
    owed: usize,
}

struct Http {
    answer: Vec<u8>,
    connections: Vec<Request>,
}

impl Load for Http {
    fn turn(&mut self, sockets: &mut SocketSet<'static>) -> bool {
        let answer = &self.answer;
        for r in self.connections.iter_mut() {
            let s = sockets.get_mut::<Socket>(r.handle);
            if s.can_recv() {
                let (matched, owed) = (&mut r.matched, &mut r.owed);
                s.recv(|data| {
                    for b in data.iter() {
                        let next = *b == b"\r\n\r\n"[*matched];
                        *matched = if next { *matched + 1 } else { (*b == b'\r') as usize };
                        if *matched == 4 {
                            *matched = 0;
                            *owed += answer.len();
                        }
                    }
                    (data.len(), ())
                })
                .expect("receiving");
            }
            while r.owed > 0 && s.can_send() {
                let at = (answer.len() - r.owed % answer.len()) % answer.len();
                r.owed -= s.send_slice(&answer[at..]).expect("sending");
            }
            match s.state() {
                State::CloseWait if r.owed == 0 => s.close(),
                State::TimeWait | State::Closed => {
                    s.abort();
                    (r.matched, r.owed) = (0, 0);
                    s.listen(80).expect("listening");
                }
                _ => (),
            }
        }
        false
    }
}

fn load(args: &[String], sockets: &mut SocketSet<'static>) -> Option<Box<dyn Load>> {
    let bytes = args[3].parse().ok()?;
    let buffer: Vec<u8> = (0..131_072).map(|i| (i * 7) as u8).collect();
    match args[1].as_str() {
        "in" => Some(Box::new(In { handle: sockets.add(socket(BUFFER, 4096, 5001)), buffer })),
        "out" => Some(Box::new(Out { handle: sockets.add(socket(4096, BUFFER, 5001)), buffer, left: bytes })),
        "http" => {
            let one = |_| Request { handle: sockets.add(socket(8192, 16384, 80)), matched: 0, owed: 0 };
            Some(Box::new(Http { answer: args[4].clone().into_bytes(), connections: (0..CONNECTIONS).map(one).collect() }))
        }
        _ => None,
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut sockets = SocketSet::new(vec![]);
    let load = if args.len() == 5 && args[2] == "plain" { load(&args, &mut sockets) } else { None };
    let Some(mut load) = load else {
        eprintln!("smoltcp: in|out|http plain BYTES ANSWER, a TAP as standard input");
        std::process::exit(2)
    };
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(0) });
    let mut tap = Tap { file, input: vec![0; FRAME + 4], output: vec![0; FRAME], left: 0, more: false };
    let mut config = Config::new(EthernetAddress([2, 0, 0, 0, 0, 11]).into());
    config.random_seed = std::process::id() as u64;
    let mut iface = Interface::new(config, &mut tap, Instant::now());
    iface.update_ip_addrs(|a| a.push(IpCidr::new(IpAddress::v4(10, 0, 0, 11), 24)).expect("one address"));
    println!("ready");
    loop {
        (tap.left, tap.more) = (BATCH, false);
        iface.poll(Instant::now(), &mut tap, &mut sockets);
        let done = load.turn(&mut sockets);
        // What the turn made ready leaves at once.
        iface.poll_egress(Instant::now(), &mut tap, &mut sockets);
        let now = Instant::now();
        if done && iface.poll_delay(now, &sockets) != Some(Duration::ZERO) {
            return;
        }
        if !tap.more {
            let delay = iface.poll_delay(now, &sockets);
            if delay != Some(Duration::ZERO) {
                phy::wait(0, delay).expect("waiting");
            }
        }
    }
}
