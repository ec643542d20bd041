import type { ClientRows } from '../model/client-rows.ts'

/** `Request` of the crate `http`, by the crates that give it on. */
const REQUEST = '{|hyper.|http.|isahc.|hyper.http.|isahc.http.|axum.http.}Request'

/** Clients of Rust. */
export const rustClients: readonly ClientRows[] = [
  {
    receiver: `
      {reqwest|reqwest.blocking|reqwest_middleware}.Client{.new|.builder|.default}
      {reqwest|reqwest.blocking|reqwest_middleware}.ClientBuilder{.new|.default}
      new {reqwest|reqwest.blocking|reqwest_middleware}.Client{|Builder|WithMiddleware}
    `,
    rows: `
      reqwest.{|blocking.}get(url)
      .{verb}(url)
      .request(method, url)
      reqwest.{|blocking.}Request.new(method, url)
    `,
  },
  {
    receiver: `${REQUEST}.{builder|new}, {|hyper.}http.request.Builder.{builder|new}`,
    with: '.method(method)',
    rows: 'GET .uri(url)',
  },
  {
    from: 'hyper, http, isahc',
    rows: `${REQUEST}.{verb}(url), {|hyper.}http.request.Builder.{verb}(url)`,
  },
  {
    receiver: `
      hyper.Client.{new|builder}, new hyper.Client, hyper_util.client.legacy.Client.builder
    `,
    rows: '.{verb}(url)',
  },
  {
    receiver: `
      ureq.{agent|Agent.new|Agent.new_with_defaults|Agent.config_builder|AgentBuilder.new}
      surf.{client|Client.new|Config.new}, isahc.HttpClient.{new|builder}
      awc.Client.{default|new|builder}, attohttpc.Session.new
      new {ureq.Agent|surf.Client|isahc.HttpClient|awc.Client}
    `,
    with: '.set_base_url(base)',
    rows: `
      {ureq|surf|isahc|attohttpc|minreq|httpie}.{verb}(url)
      {gloo_net.http|reqwasm.http|ehttp}.Request.{verb}(url)
      isahc.{get|post}_async(url)
      ureq.request(method, url)
      .{verb}(url)
      .request(method, url)
    `,
  },
  {
    rows: `
      GET {tokio_tungstenite.connect_async|tungstenite.connect|connect_async}(url)
      POST {|tonic.transport.}Channel.from_static(url)
      POST tonic.transport.{Endpoint.from_static|Channel.from_shared}(url)
    `,
  },
]
