// The codecs study's message through prost and serde_json; ../README.md says
// what a peer reads and answers.
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

use prost::Message;
use serde::{Deserialize, Serialize};

fn absent<T: Default + PartialEq>(v: &T) -> bool {
    *v == T::default()
}

// One pair of types serves both formats.
#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(default)]
struct Fifth {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "String::is_empty")]
    first: String,
    #[prost(string, tag = "2")]
    #[serde(skip_serializing_if = "String::is_empty")]
    second: String,
    #[prost(string, tag = "3")]
    #[serde(skip_serializing_if = "String::is_empty")]
    third: String,
    #[prost(string, tag = "4")]
    #[serde(skip_serializing_if = "String::is_empty")]
    fourth: String,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(default)]
struct Payload {
    #[prost(bool, tag = "1")]
    #[serde(skip_serializing_if = "absent")]
    first: bool,
    #[prost(bool, tag = "2")]
    #[serde(skip_serializing_if = "absent")]
    second: bool,
    #[prost(double, tag = "3")]
    #[serde(skip_serializing_if = "absent")]
    third: f64,
    #[prost(int32, tag = "4")]
    #[serde(skip_serializing_if = "absent")]
    fourth: i32,
    #[prost(message, repeated, tag = "5")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fifth: Vec<Fifth>,
    #[prost(int32, repeated, tag = "6")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sixth: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(int32, tag = "2")]
    number: i32,
    #[prost(string, tag = "3")]
    type_name: String,
    #[prost(int32, tag = "4")]
    label: i32,
    #[prost(bool, optional, tag = "5")]
    packed: Option<bool>,
    #[prost(int32, repeated, tag = "6")]
    span: Vec<i32>,
    #[prost(message, repeated, tag = "7")]
    children: Vec<Node>,
}

#[derive(Clone, PartialEq, Message)]
struct Numbers {
    #[prost(int32, repeated, tag = "1")]
    ints: Vec<i32>,
    #[prost(sint64, repeated, tag = "2")]
    longs: Vec<i64>,
    #[prost(double, repeated, tag = "3")]
    doubles: Vec<f64>,
    #[prost(fixed32, repeated, tag = "4")]
    words: Vec<u32>,
}

#[derive(Clone, PartialEq, Message)]
struct Texts {
    #[prost(string, repeated, tag = "5")]
    texts: Vec<String>,
    #[prost(bytes, repeated, tag = "6")]
    blobs: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
struct Nodes {
    #[prost(message, repeated, tag = "7")]
    nodes: Vec<Node>,
}

fn read_protobuf<M: Message + Default>(bytes: &[u8]) -> M {
    M::decode(bytes).expect("decode")
}

fn write_protobuf<M: Message>(m: &M) -> Vec<u8> {
    m.encode_to_vec()
}

fn write_protobuf_into<M: Message>(m: &M, kept: &mut Vec<u8>) {
    kept.clear();
    m.encode(kept).expect("encode");
}

fn write_json_into(p: &Payload, kept: &mut Vec<u8>) {
    kept.clear();
    serde_json::to_writer(kept, p).expect("to_writer");
}

fn read_json(bytes: &[u8]) -> Payload {
    serde_json::from_slice(bytes).expect("from_slice")
}

fn write_json(p: &Payload) -> Vec<u8> {
    serde_json::to_vec(p).expect("to_vec")
}

#[repr(C)]
struct Timespec {
    sec: i64,
    nsec: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, t: *mut Timespec) -> i32;
}

// CLOCK_PROCESS_CPUTIME_ID of Linux.
fn cpu_ns() -> i64 {
    let mut t = Timespec { sec: 0, nsec: 0 };
    unsafe { clock_gettime(2, &mut t) };
    t.sec * 1_000_000_000 + t.nsec
}

fn serve<M>(
    bytes: &[u8],
    read: fn(&[u8]) -> M,
    write: fn(&M) -> Vec<u8>,
    write_into: fn(&M, &mut Vec<u8>),
) {
    let mut kept = Vec::new();
    let value = read(bytes);
    if write(&value) != bytes {
        eprintln!("what was read is written otherwise");
        std::process::exit(1);
    }
    println!("ready {}", bytes.len());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("stdin");
        let (test, runs) = line.split_once(' ').expect("TEST RUNS");
        let runs: u64 = runs.parse().expect("RUNS");
        let cpu = cpu_ns();
        let wall = Instant::now();
        match test {
            "read" => (0..runs).for_each(|_| drop(black_box(read(black_box(bytes))))),
            "write" => (0..runs).for_each(|_| drop(black_box(write(black_box(&value))))),
            "write-into" => (0..runs).for_each(|_| {
                write_into(black_box(&value), &mut kept);
                black_box(&kept);
            }),
            "rw" => (0..runs).for_each(|_| drop(black_box(read(&black_box(write(black_box(&value))))))),
            _ => panic!("no test {test}"),
        }
        println!("{} {}", cpu_ns() - cpu, wall.elapsed().as_nanos());
        std::io::stdout().flush().expect("stdout");
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[2]).expect("the message's file");
    match args[1].as_str() {
        "protobuf" => serve::<Payload>(&bytes, read_protobuf, write_protobuf, write_protobuf_into),
        "numbers" => serve::<Numbers>(&bytes, read_protobuf, write_protobuf, write_protobuf_into),
        "texts" => serve::<Texts>(&bytes, read_protobuf, write_protobuf, write_protobuf_into),
        "nodes" => serve::<Nodes>(&bytes, read_protobuf, write_protobuf, write_protobuf_into),
        "json" => serve(&bytes, read_json, write_json, write_json_into),
        format => panic!("no format {format}"),
    }
}
