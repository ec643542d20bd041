/** Names of vendors and products that are words of other things, too: `railway`, `segment`. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `adjust adp agora alchemy amazon anvil apple arcade argos argyle arin astronomer audible bandwidth
  bark bart basin batch beamer billy bling blink bonsai booking box branch buffer builder bunny
  canny cartesia castle chameleon chutes clerk clever close clutch coconut coda cognition column
  comet constructor convex copper cosmic courier crisp crystallize currents cursor customer cypress
  daily databox depot did dimensions docker drift drip dub dynamic economic embrace engage exa fal
  finch fingerprint flare flock fred front galileo gateway gemini genius grab greenhouse guided guru
  hardcover harness harvest hatchet headway hebcal hive humanloop hunter hyperbolic inception
  increase indexer inspector iterable jira jupiter knock kong lambda lark lepton letta lever line
  linear listen literal loops lucid luma lunar lunary magic mastodon matrix mega mend mercury merge
  meta metronome miro modal moov morph mta mural mux nba neon neptune nightwatch nomic notion npmjs
  octopus oracle orange orb ory outline outreach paddle paragon perplexity phrase pinpoint plain
  plane platform plex pocket poe polar postmark prefect privy prowl quality radar railway ramp
  reactome recharge remote render replicate resend ring rte runway sage sanity segment semaphore
  shortcut sift signal singular snowflake socket sonar spaceship spider split square stability
  standard steam steel storage stream string surge swell swish tally teams teller tfe ticket tidal
  timescale tink toast together transit trigger trunk twist unified unify unity unleash upstage usps
  wasabi wave whereby whoop wise wiz woodpecker workable writer zep zoom`.split(/\s+/),
)
