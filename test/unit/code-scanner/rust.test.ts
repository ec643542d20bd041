import { describe, expect, it } from 'vitest'
import { rust } from '../../../core/code-scanner/languages/rust.ts'
import { showFound, showLowered } from './shown.ts'

const shown = (text: string) =>
  showLowered({ language: 'rust', lower: rust.lower, text: rust.prepare?.(text) ?? text })

describe('Rust is read', () => {
  it('reads imports, constants, types, their defaults and results of functions', async () => {
    const text = `use crate::config::{self, BASE as HOME};
use reqwest::Client;
const URL: &str = concat!("https://a.io", "/x");
struct Api {
    client: Arc<Client>,
    #[arg(default_value = "https://b.io")]
    base: String,
    #[serde(default = "fallback")]
    other: Option<String>,
}
impl Api {
    const PATH: &'static str = "/v1";
    fn new() -> Self {
        let base = std::env::var("A").unwrap_or_else(|_| "https://c.io".into());
        Self { client: Client::new(), base }
    }
    fn users(&self, id: u32) -> String {
        format!("{}{}/{id}", self.base, Self::PATH)
    }
}
#[cfg(test)]
mod tests {
    const URL: &str = "https://test.a.io";
}
`
    expect(await shown(text)).toEqual([
      'class Api in 0',
      'function new in 1',
      'function in 2',
      'function users in 1 id',
      'import crate config config',
      'import crate.config BASE HOME',
      'import reqwest Client Client',
      '3: constant out URL@0 = ("https://a.io" + "/x")',
      '4: constant out Api@0 = ?',
      '5: field this.client@1 = new reqwest.Client()',
      '6: field this.base@1 = "https://b.io"',
      '9: field this.other@1 = fallback()',
      '12: constant out Api.PATH@0 = "/v1"',
      '14: return return@3 = "https://c.io"',
      '14: variable base@2 = (std.env.var("A") | "https://c.io")',
      '15: field this.client@2 = reqwest.Client.new()',
      '15: field this.base@2 = base',
      '15: return return@2 = new Api(client=reqwest.Client.new(), base=base)',
      '18: return return@4 = format("{}{}/{id}", this.base, Api.PATH, id=id)',
      '14: call@2 std.env.var("A")',
      '15: call@2 new Api(client=reqwest.Client.new(), base=base)',
      '15: call@2 reqwest.Client.new()',
    ])
  })

  it('builds strings in all its ways', async () => {
    const text = `fn f(x: &str) {
    let a = format!("{x}/{0}/{y:?}", z, y = "y");
    let b = x.to_owned() + "/y";
    let c = Url::parse("https://a.io")?.join("x")?;
    let d = [x, "y"].join("/");
    let e = if x { "https://a.io" } else { "https://b.io" };
    let g = match x { 1 => "https://a.io", _ => { "https://b.io" } };
    let h = r#"https://"a".io"#;
    let mut i = String::from("https://a.io");
    i.push_str("/x");
    let m = Method::POST;
    let n = LazyLock::new(|| "https://c.io".to_string());
}
`
    expect(await shown(text)).toEqual([
      'function f in 0 x',
      'function in 1',
      '1: constant out f@0 = ?',
      '2: variable a@1 = format("{x}/{0}/{y:?}", z, y="y", x=x)',
      '3: variable b@1 = (x + "/y")',
      '4: variable c@1 = path("https://a.io", "x")',
      '5: variable d@1 = path(x, "y")',
      '6: variable e@1 = ("https://a.io" | "https://b.io")',
      '7: variable g@1 = ("https://a.io" | "https://b.io")',
      '8: variable h@1 = "https://\\"a\\".io"',
      '9: variable i@1 = "https://a.io"',
      '10: variable i@1 = (i + "/x")',
      '11: variable m@1 = "POST"',
      '12: return return@2 = "https://c.io"',
      '12: variable n@1 = "https://c.io"',
      '12: return return@1 = ?',
    ])
  })

  it('reads calls in macros, and separates strings for people and browsers', async () => {
    const text = `fn f() {
    try_join!(client.get("https://a.io/x").send(), send(&format!("{}/y", URL)));
    println!("https://a.io/print");
    assert_eq!(x, "https://a.io/assert");
    open::that("https://a.io/open").expect("https://a.io/expect");
    if x == "https://a.io/compared" {
        bail!("https://a.io/bail");
    }
}
`
    expect(await shown(text)).toEqual([
      'function f in 0',
      '1: constant out f@0 = ?',
      '7: return return@1 = (? | ?)',
      '2: call@1 try_join(client.get("https://a.io/x").send(), send(format("{}/y", URL)))',
      '2: call@1 client.get("https://a.io/x")',
      '2: call@1 client.get("https://a.io/x").send()',
      '2: call@1 send(format("{}/y", URL))',
      '3: documentation "https://a.io/print"',
      '4: error "https://a.io/assert"',
      '5: link "https://a.io/open"',
      '5: error "https://a.io/expect"',
      '6: error "https://a.io/compared"',
      '7: error "https://a.io/bail"',
    ])
  })

  it('finds defaults of settings in macros', async () => {
    const text = `use reqwest::Client;
settings! {
    push {
        /// Address of the relay
        push_relay_uri: String, false, def, "https://push.io".to_owned();
        home_page: String, false, def, "https://home.io".to_owned();
        message: String, false, def, "https://push.io/help".to_owned();
    },
}
`
    expect(await showFound('rust', { 'a.rs': text })).toEqual(['a.rs:5 base - https://push.io'])
  })

  it('reads lists, constants and statements in macros', async () => {
    const text = `lazy_static! { static ref URL: String = String::from("https://a.io"); }
fn f() {
    let a = vec!["x", "y"];
    let b = stream! { yield client.get::<T>("https://b.io").send(); };
    json!({ "url": "https://c.io" });
}
`
    expect(await shown(text)).toEqual([
      'function f in 0',
      '1: constant out URL@0 = "https://a.io"',
      '2: constant out f@0 = ?',
      '3: variable a@1 = ["x", "y"]',
      '4: variable b@1 = ?',
      '5: return return@1 = ?',
      '4: call@1 client.get("https://b.io")',
      '4: call@1 client.get("https://b.io").send()',
      '5: documentation "url"',
      '5: documentation "https://c.io"',
    ])
  })

  it('finds clients of other files, the nearest of a name first', async () => {
    const files = {
      'src/lib.rs': `static HTTP: LazyLock<reqwest::Client> = LazyLock::new(|| reqwest::Client::builder().build().unwrap());
`,
      'src/calendar/auth.rs': `static HTTP: LazyLock<reqwest::Client> = LazyLock::new(reqwest::Client::new);
`,
      'src/weather/nws.rs': `use crate::HTTP;
use crate::urls::ALERTS;
async fn a() {
    HTTP.post("https://api.users.io/x").send().await;
    HTTP.get(format!("{ALERTS}/active")).send().await;
}
`,
      'src/urls.rs': `pub const ALERTS: &str = "https://alerts.users.io/v1";
`,
    }
    expect(await showFound('rust', files)).toEqual([
      'src/urls.rs:1 literal - https://alerts.users.io/v1',
      'src/weather/nws.rs:4 call post https://api.users.io/x',
      'src/weather/nws.rs:5 call get https://alerts.users.io/v1/active',
    ])
  })

  it('reads defaults of builders that are put together', async () => {
    const files = {
      'src/lib.rs': `use ::reqwest::Client;
const DOMAIN: &str = "gauges.dev";
#[derive(Builder)]
struct Gauges {
    http: Client,
    #[builder(default = format!("https://api.{DOMAIN}"))]
    base: String,
    #[builder(default = format!("{DOMAIN} by {NOBODY}"))]
    title: String,
}
impl Gauges {
    fn send(&self) { self.submit("/v2/series"); }
    fn submit(&self, path: &str) {
        let url = self.url(path);
        self.http.post(url).send();
    }
    fn url(&self, path: &str) -> String { format!("{}{path}", self.base) }
}
`,
    }
    expect(await showFound('rust', files)).toEqual([
      'src/lib.rs:6 base - https://api.gauges.dev',
      'src/lib.rs:12 call post https://api.gauges.dev/v2/series',
      'src/lib.rs:15 call post https://api.gauges.dev/{}',
      'src/lib.rs:17 base - https://api.gauges.dev/{}',
    ])
  })
})
