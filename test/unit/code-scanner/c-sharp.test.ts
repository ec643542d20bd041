import { describe, expect, it } from 'vitest'
import { cSharp } from '../../../core/code-scanner/languages/c-sharp.ts'
import { showFound, showLowered } from './shown.ts'

const shown = (text: string) => showLowered({ language: 'c-sharp', lower: cSharp.lower, text })

describe('C# is read', () => {
  it('keeps constants, fields, properties, defaults and what methods give back', async () => {
    const text = `using Acme.Urls;
using Web = System.Net.Http;
class Client(HttpClient http) : Parent
{
    const string Home = "https://a.io";
    public string Url { get; set; } = Home + "/x";
    string Users => $"{Url}/users";
    HttpClient own = new() { BaseAddress = new Uri("https://b.io") };
    Client(string url = "https://c.io") : this(null) { Url = url; own.BaseAddress = new Uri(url); }
    string F(int id) => Users + id;
}
`
    expect(await shown(text)).toEqual([
      'class Client in 0 Parent',
      'function Client in 1 url',
      'function F in 1 id',
      'import Acme.Urls * *',
      'import System.Net.Http Http Web',
      '3: constant out Client@0 = ?',
      '3: field this.http@1 = new HttpClient()',
      '5: constant out Client.Home@0 = "https://a.io"',
      '6: field this.Url@1 = (Client.Home + "/x")',
      '7: field this.Users@1 = (this.Url + "/users")',
      '8: field this.own@1 = new HttpClient(BaseAddress="https://b.io")',
      '9: parameter-default url@2 = "https://c.io"',
      '9: field this.Url@2 = url',
      '9: field this.own.BaseAddress@2 = url',
      '10: return return@3 = (this.Users + id)',
      '8: call@1 new HttpClient(BaseAddress="https://b.io")',
      '9: call@2 super(?)',
    ])
  })

  it('builds texts of all its ways to build them', async () => {
    const text = `class A
{
    void F(string x)
    {
        var a = $"{x}/y/{x:D2}{{z}}";
        var b = @"https://a.io/""x""";
        var c = """https://a.io/raw""";
        var d = string.Format("{0}/y", x);
        var e = string.Join("/", x, "y");
        var g = new Uri(new Uri("https://a.io"), "/x");
        var h = config["A"] ?? "https://a.io";
        var i = "https://a.io".AppendPathSegment("x").SetQueryParam("q", x);
        var j = x switch { "a" => "https://a.io", _ => "https://b.io" };
        var m = HttpMethod.Post;
    }
}
`
    expect(await shown(text)).toEqual([
      'class A in 0',
      'function F in 1 x',
      '1: constant out A@0 = ?',
      '5: variable a@2 = (x + "/y/" + x + "{z}")',
      '6: variable b@2 = "https://a.io/\\"x\\""',
      '7: variable c@2 = "https://a.io/raw"',
      '8: variable d@2 = format("{0}/y", x)',
      '9: variable e@2 = path(x, "y")',
      '10: variable g@2 = path("https://a.io", "/x")',
      '11: variable h@2 = (ENV.a | "https://a.io")',
      '12: variable i@2 = path("https://a.io", "x")',
      '13: variable j@2 = ("https://a.io" | "https://b.io")',
      '14: variable m@2 = "POST"',
    ])
  })

  it('tells texts for people and browsers from others', async () => {
    const text = `class A
{
    void F()
    {
        _logger.LogError("https://a.io/log");
        Process.Start("https://a.io/open");
        Process.Start(new ProcessStartInfo("https://a.io/info"));
        if (x == "https://a.io/compared") throw new Exception($"https://a.io/error");
    }
}
`
    expect(await shown(text)).toEqual([
      'class A in 0',
      'function F in 1',
      '1: constant out A@0 = ?',
      '5: documentation "https://a.io/log"',
      '6: link "https://a.io/open"',
      '7: link "https://a.io/info"',
      '8: error "https://a.io/compared"',
      '8: error "https://a.io/error"',
    ])
  })

  it('knows settings of other files, bases and wrappers', async () => {
    const files = {
      'Options.cs': `class Options { public string Url { get; set; } = "https://api.users.io"; }
`,
      'Users.cs': `class Users(IHttpClientFactory factory)
{
    private readonly Options _options = new Options();
    private HttpClient Make() => factory.CreateClient("users");
    private Task<string> Get(string path) { var client = Make(); return client.GetStringAsync(_options.Url + path); }
    public Task<string> All() => Get("/v1/users");
}
`,
      'Startup.cs': `class Startup
{
    void F(IServiceCollection services)
    {
        services.AddHttpClient("a", c => c.BaseAddress = new Uri("https://based.users.io"));
    }
}
`,
    }
    expect(await showFound('c-sharp', files)).toEqual([
      'Options.cs:1 base - https://api.users.io',
      'Startup.cs:5 base - https://based.users.io',
      'Users.cs:5 call get https://api.users.io/{}',
      'Users.cs:6 call get https://api.users.io/v1/users',
    ])
  })
})
