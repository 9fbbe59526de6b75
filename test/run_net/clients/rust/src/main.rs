// Fetches its argument and prints the status and the length, or the error.
fn main() {
    let url = std::env::args().nth(1).unwrap();
    match ureq::get(&url).call() {
        Ok(mut answer) => {
            let body = answer.body_mut().read_to_vec().unwrap();
            println!("{} {}", answer.status().as_u16(), body.len());
        }
        Err(e) => {
            println!("{e}");
            std::process::exit(1);
        }
    }
}
