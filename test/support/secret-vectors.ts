/**
 * Made-up secrets of every kind, put together when asked for, so that no file of ours holds anything that looks like one.
 * The same seed gives the same secrets.
 */

export interface SecretVector {
  readonly kind: string;
  /** Text as it would stand in a file. */
  readonly text: string;
  /** The part that must be gone. */
  readonly secret: string;
  /** It begins like no other text: a secret wherever it stands, in a name too. */
  readonly isKnownAlone: boolean;
}

export type Random = (below: number) => number;

/** Repeatable on every machine; good enough to spread characters. */
export function seededRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 97) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(((state >>> 8) / 2 ** 24) * below);
  };
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const UPPER = LOWER.toUpperCase();
const CHARSETS: Readonly<Record<string, string>> = {
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  n: DIGITS,
  l: LOWER,
  a: LOWER + DIGITS,
  A: UPPER + DIGITS,
  b: UPPER + LOWER + DIGITS,
  w: `${UPPER + LOWER + DIGITS}_-`,
  s: `${UPPER + LOWER + DIGITS}+/`,
  L: UPPER + LOWER,
  g: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** `{b36}` is 36 characters of the set `b`; everything else stands for itself. `·` is nothing: it breaks up known prefixes. */
export function fill(template: string, random: Random): string {
  return template
    .replaceAll('·', '')
    .replace(/\{([A-Za-z])(\d+)\}/g, (_whole, set: string, length: string) =>
      pick(CHARSETS[set] ?? LOWER, Number(length), random),
    )
    .replaceAll('{uuid}', () => fill('{h8}-{h4}-4{h3}-a{h3}-{h12}', random));
}

function pick(charset: string, length: number, random: Random): string {
  return Array.from({ length }, () => charset[random(charset.length)]).join('');
}

/** Kinds that are known by their own shape: the secret, as a template. */
const SHAPES: readonly (readonly [kind: string, template: string])[] = [
  ['aws-access-key', 'AK·IA{A15}7'],
  ['aws-access-key', 'AS·IA{A15}4'],
  ['aws-bedrock-key', 'AB·SK{s128}'],
  ['aws-mws-key', 'amzn.·mws.{uuid}'],
  ['gcp-api-key', 'AI·za{w34}Q'],
  ['gcp-oauth-secret', 'GOC·SPX-{b28}'],
  ['gcp-access-token', 'ya·29.{w120}'],
  ['gcp-refresh-token', '1/·/0{b60}'],
  ['azure-client-secret', '{b3}8Q~{b34}'],
  ['azure-devops-token', '{b76}AZ·DO{b4}'],
  ['azure-registry-key', '{b42}+A·CR{b6}'],
  ['alibaba-access-key', 'LT·AI{b20}'],
  ['tencent-secret-id', 'AK·ID{b32}'],
  ['digitalocean-token', 'do·p_v1_{h64}'],
  ['heroku-key', 'HR·KU-{uuid}'],
  ['heroku-key', 'HR·KU-AA{b58}'],
  ['cloudflare-origin-key', 'v1·.0-{h24}-{h146}'],
  ['vercel-token', 'vc·p_{b24}'],
  ['netlify-token', 'nf·p_{b36}'],
  ['fly-token', 'fo·1_{b43}'],
  ['fly-token', 'fm·2_{s160}=='],
  ['render-key', 'rn·d_{b32}'],
  ['supabase-key', 'sb·p_{h40}'],
  ['supabase-key', 'sb_·secret_{b31}'],
  ['planetscale-token', 'psc·ale_tkn_{b43}'],
  ['neon-key', 'na·pi_{a64}'],
  ['doppler-token', 'dp.·pt.{b43}'],
  ['vault-token', 'hv·s.{b90}'],
  ['terraform-token', '{b14}.atl·asv1.{b67}'],
  ['pulumi-token', 'pu·l-{h40}'],
  ['tailscale-key', 'ts·key-auth-{b11}CNTRL-{b32}'],
  ['onepassword-secret-key', 'A·3-{A6}-{A6}-{A5}-{A5}-{A5}-{A5}'],
  ['openshift-token', 'sha·256~{b43}'],
  ['github-token', 'gh·p_{b36}'],
  ['github-token', 'gh·o_{b36}'],
  ['github-token', 'gh·s_{b36}'],
  ['github-token', 'github·_pat_{b22}_{b59}'],
  ['gitlab-token', 'gl·pat-{b20}'],
  ['gitlab-token', 'gl·pat-{b27}.01.{a9}'],
  ['gitlab-token', 'gl·rt-{b20}'],
  ['gitlab-token', 'gl·dt-{b20}'],
  ['gitlab-token', 'GR·1348941{b20}'],
  ['bitbucket-token', 'AT·BB{b32}'],
  ['atlassian-token', 'AT·ATT3{w186}={H8}'],
  ['sourcegraph-token', 'sg·p_{h16}_{h40}'],
  ['npm-token', 'np·m_{b36}'],
  ['pypi-token', 'py·pi-AgEIcHlwaS5vcmc{w150}'],
  ['rubygems-key', 'ruby·gems_{h48}'],
  ['dockerhub-token', 'dck·r_pat_{b27}'],
  ['nuget-key', 'oy·2{a43}'],
  ['crates-token', 'ci·o{b32}'],
  ['clojars-token', 'CLO·JARS_{a60}'],
  ['artifactory-key', 'AK·Cp{b69}'],
  ['packagist-token', 'pack·agist_uut_{h68}'],
  ['circleci-token', 'CCI·PAT_{b22}_{h40}'],
  ['buildkite-token', 'bk·ua_{h40}'],
  ['sonar-token', 'sq·p_{h40}'],
  ['postman-key', 'PM·AK-{h24}-{h34}'],
  ['prefect-key', 'pn·u_{b36}'],
  ['readme-key', 'rd·me_{a70}'],
  ['huggingface-token', 'h·f_{L34}'],
  ['anthropic-key', 'sk-·ant-api03-{w93}AA'],
  ['openrouter-key', 'sk-·or-v1-{h64}'],
  ['openai-key', 'sk-·proj-{w74}T3Bl·bkFJ{w74}'],
  ['openai-key', 'sk-·{b20}T3Bl·bkFJ{b20}'],
  ['openai-key', 'sk-·{b48}'],
  ['groq-key', 'gs·k_{b52}'],
  ['replicate-token', 'r·8_{b37}'],
  ['perplexity-key', 'pp·lx-{b48}'],
  ['xai-key', 'xa·i-{b80}'],
  ['nvidia-key', 'nva·pi-{w64}'],
  ['langsmith-key', 'ls·v2_pt_{h32}_{h10}'],
  ['pinecone-key', 'pc·sk_{b68}'],
  ['databricks-token', 'da·pi{h32}'],
  ['slack-token', 'xo·xb-{n12}-{n13}-{b24}'],
  ['slack-token', 'xo·xp-{n12}-{n12}-{n12}-{h32}'],
  ['slack-token', 'xa·pp-1-{A11}-{n13}-{h64}'],
  ['telegram-token', '7{n9}:A·A{w33}'],
  ['stripe-key', 'sk_·live_{b24}'],
  ['stripe-key', 'rk_·live_{b99}'],
  ['stripe-key', 'sk_·test_{b24}'],
  ['webhook-secret', 'wh·sec_{b32}'],
  ['square-token', 'sq·0atp-{w22}'],
  ['square-token', 'EA·AA{w60}'],
  ['paypal-token', 'access_·token$production${a16}${h32}'],
  ['shopify-token', 'sh·pat_{h32}'],
  ['waymark-token', 'way·mark_{h16}_{w43}'],
  ['plaid-token', 'access-·production-{uuid}'],
  ['razorpay-key', 'rz·p_live_{b14}'],
  ['twilio-key', 'S·K{h32}'],
  ['sendgrid-key', 'S·G.{w22}.{w43}'],
  ['mailgun-key', 'ke·y-{h32}'],
  ['mailchimp-key', '{h32}-u·s14'],
  ['brevo-key', 'xkey·sib-{h64}-{b16}'],
  ['resend-key', 're·_{b8}_{b24}'],
  ['sentry-token', 'sntr·yu_{h64}'],
  ['newrelic-key', 'NR·AK-{A27}'],
  ['newrelic-key', '{h36}NR·AL'],
  ['grafana-token', 'gl·sa_{b32}_{h8}'],
  ['grafana-token', 'gl·c_eyJ{b120}=='],
  ['dynatrace-token', 'dt0·c01.{A24}.{A64}'],
  ['linear-key', 'lin·_api_{b40}'],
  ['notion-token', 'nt·n_{b46}'],
  ['notion-token', 'sec·ret_{b43}'],
  ['figma-token', 'fi·gd_{w40}'],
  ['airtable-token', 'pa·t{b14}.{h64}'],
  ['asana-token', '1/·12{n14}:{h32}'],
  ['dropbox-token', 's·l.{w135}'],
  ['hubspot-token', 'pat-·na1-{uuid}'],
  ['firebase-key', 'AAAA{b7}:AP·A91b{w134}'],
  ['easypost-key', 'EZ·AK{b54}'],
  ['shippo-token', 'ship·po_live_{h40}'],
  ['typeform-token', 'tf·p_{w44}'],
  ['contentful-token', 'CF·PAT-{w43}'],
  ['posthog-key', 'ph·x_{b43}'],
  ['launchdarkly-key', 'sd·k-{uuid}'],
  ['maxmind-key', '{b6}_{b29}_m·mk'],
  ['age-key', 'AGE-·SECRET-KEY-1{g58}'],
  ['jwt', 'ey·JhbGciOiJIUzI1NiJ9.ey·J{w80}.{w43}'],
];

/** Kinds that are known by what is around them: the text, with the secret between « and ». */
const IN_CONTEXT: readonly (readonly [kind: string, template: string])[] = [
  ['aws-secret-key', 'AWS_SECRET_ACCESS_KEY=«{s40}»'],
  ['aws-secret-key', 'aws_access_key_id = AK·IA{A16}\nsecret = «{s39}7»'],
  ['aws-session-token', 'aws_session_token = «{s356}==»'],
  ['gcp-service-account', '  "private_key_id": "«{h40}»",'],
  [
    'azure-storage-key',
    'DefaultEndpointsProtocol=https;AccountName=store;AccountKey=«{s86}==»;EndpointSuffix=core',
  ],
  [
    'azure-connection-string',
    'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{s43}=»',
  ],
  ['azure-sas', 'https://store.blob.core.windows.net/c?sv=2022-11-02&se=2030-01-01&sig=«{b43}%3D»'],
  ['heroku-key', 'HEROKU_API_KEY: «{uuid}»'],
  ['cloudflare-token', "const cloudflareToken = '«{w40}»';"],
  ['cloudflare-token', 'X-Auth-Key: «{h37}»'],
  ['fastly-token', 'FASTLY_API_TOKEN="«{w32}»"'],
  ['vercel-token', 'VERCEL_TOKEN=«{b24}»'],
  ['netlify-token', 'netlify_auth = "«{w43}»"'],
  ['vault-token', 'VAULT_TOKEN=«s.{b24}»'],
  ['okta-token', 'Authorization: SSWS «00{w40}»'],
  ['okta-token', 'okta_api_token: "«00{w40}»"'],
  ['auth0-secret', 'AUTH0_CLIENT_SECRET=«{w64}»'],
  ['ngrok-token', 'authtoken: «2{b26}_{b21}»'],
  ['bitbucket-token', 'bitbucket_client_id = "«{b32}»"'],
  ['atlassian-token', 'JIRA_API_TOKEN=«{b24}»'],
  ['npm-token', '//registry.example.org/:_authToken=«{uuid}»'],
  ['docker-auth', '"https://index.docker.io/v1/": { "auth": "«{b30}9/==»" }'],
  ['cohere-key', 'cohere_api_key = "«{b40}»"'],
  ['wandb-key', 'WANDB_API_KEY=«{h40}»'],
  ['snyk-token', 'SNYK_TOKEN: «{uuid}»'],
  ['github-token', 'github_token = "«{h40}»"'],
  ['discord-token', 'DISCORD_TOKEN=«MT{b22}.{b6}.{w38}»'],
  ['discord-token', "client.login('«NT{b22}.{b6}.{w27}»');"],
  ['paypal-secret', 'PAYPAL_CLIENT_SECRET=«E{w79}»'],
  ['twilio-token', 'TWILIO_AUTH_TOKEN=«{h32}»'],
  ['mailgun-key', 'mailgun: "«{h32}-{h8}-{h8}»"'],
  ['postmark-token', 'POSTMARK_SERVER_TOKEN=«{uuid}»'],
  ['datadog-key', 'DD_API_KEY=«{h32}»'],
  ['datadog-key', "datadog_app_key: '«{h40}»'"],
  ['newrelic-key', 'newrelic.license_key=«{h40}»'],
  ['pagerduty-key', 'pagerduty_token = "«u+{w18}»"'],
  ['algolia-key', "algoliasearch('{A10}', x); const ALGOLIA_ADMIN = '«{h32}»';"],
  ['slack-webhook', 'const hook = "https://hooks.·slack.com/services/«T{A10}/B{A10}/{b24}»";'],
  ['discord-webhook', 'const hook = "https://discord.com/api/·webhooks/1{n17}/«{w68}»";'],
  ['airtable-key', 'AIRTABLE_API_KEY=«key{b14}»'],
  ['dropbox-secret', 'dropbox_app_secret: "«{a15}»"'],
  ['splunk-token', 'splunk_hec: «{uuid}»'],
  ['trello-token', 'trelloToken = "«{h64}»"'],
  ['spotify-secret', "SPOTIFY_CLIENT_SECRET = '«{h32}»'"],
  [
    'putty-key',
    'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 2\n«{s64}\n{s40}\nPrivate-MAC: {h64}»\n',
  ],
  ['jwk-private-key', '{"kty":"EC","crv":"P-256","d":"«{w43}»","x":"a"}'],
  ['bearer-token', 'curl -H "Authorization: Bearer «{b40}»" https://api.local'],
  ['authorization-header', "headers['Authorization'] = 'Token «{h40}»'"],
  ['url-password', 'DATABASE_URL=postgres://app:«{b16}»@db.internal:5432/app'],
  ['url-password', "engine = create_engine('mysql+pymysql://root:«{b12}!{b4}»@10.0.0.2/shop')"],
  ['url-password', 'mongodb+srv://svc:«{b20}»@cluster0.mongodb.net/?retryWrites=true'],
  ['url-password', 'redis://:«{b24}»@cache:6379/0'],
  ['url-password', 'amqps://worker:«{b14}»@mq.internal/vhost'],
  ['url-password', 'git clone https://deploy:«{b20}»@git.internal/x.git'],
  ['url-token', 'git clone https://«{b32}»@git.internal/x.git'],
  ['curl-user', 'curl -s -u admin:«{b12}» https://api.local/v1'],
  ['netrc-password', 'machine api.local login deploy password «{b18}»'],
  ['password', 'DB_PASSWORD=«{b6}!{b5}3»'],
  ['password', 'spring.datasource.password=«{b14}7»'],
  ['password', '"password": "«{b9}#4{b3}»",'],
  ['password', "  password: '«{b8}%9{l3}»'"],
  ['password', '<password>«{b14}5»</password>'],
  ['password', 'Server=db;Database=x;User Id=sa;Password=«{b10}8!»;Encrypt=true'],
  ['password', 'jdbc:postgresql://db/x?user=app&password=«{b12}6»'],
  ['password', 'mysqldump --password=«{b12}9» shop'],
  ['password', 'define("DB_PASS", "«{b12}!2»");'],
  ['secret', 'client_secret = "«{b32}»"'],
  ['secret', "SECRET_KEY = '«{b50}»'"],
  ['secret', "const secret = process.env.JWT_SECRET || '«{b24}»';"],
  ['secret', 'app.secret: «{h64}»'],
  ['secret', 'var clientSecret string = "«{b40}»"'],
  ['token', 'const accessToken: string = "«{b40}»";'],
  ['token', "os.environ.setdefault('SERVICE_TOKEN', '«{h40}»')"],
  ['token', 'token: «{b36}»'],
  ['token', '--token «{b40}»'],
  ['token', '{\\"token\\":\\"«{b40}»\\"}'],
  ['key', 'api_key = "«{b32}»"'],
  ['key', "apiKey: '«{h32}»',"],
  ['key', '<add key="ApiKey" value="«{b32}»" />'],
  ['key', 'X-Api-Key: «{b40}»'],
  ['key', 'PrivateKey = «{s43}=»'],
  ['key', 'secret_key_base: «{h128}»'],
  ['key', 'ENCRYPTION_KEY="«{s43}=»"'],
];

/** Where a secret known by its shape may stand; names that say nothing, so that only the shape can tell. */
const PLACES: readonly ((secret: string) => string)[] = [
  (secret) => `const value = "${secret}";`,
  (secret) => `VALUE=${secret}`,
  (secret) => `  value: ${secret}`,
  (secret) => `{"value":"${secret}","n":1}`,
  (secret) => `// used to be ${secret}`,
  (secret) => `call('first\\n${secret}')`,
];

const KNOWN_START = /^[^{]{3}/;

export function secretVectors(perTemplate: number, seed: number): readonly SecretVector[] {
  const random = seededRandom(seed);
  const shaped = SHAPES.flatMap(([kind, template]) =>
    Array.from({ length: perTemplate }, (_, index) => {
      const secret = fill(template, random);
      const isKnownAlone = KNOWN_START.test(template.replaceAll('·', ''));
      return { kind, secret, isKnownAlone, text: PLACES[index % PLACES.length]?.(secret) ?? secret };
    }),
  );
  const inContext = IN_CONTEXT.flatMap(([kind, template]) =>
    Array.from({ length: perTemplate }, () => cutOut(kind, fill(template, random))),
  );
  const keys = Array.from({ length: perTemplate }, (_, index) => privateKey(index, random));
  return [...shaped, ...inContext, ...keys, ...basicAuths(perTemplate, random)];
}

function cutOut(kind: string, marked: string): SecretVector {
  const [before = '', secret = '', after = ''] = marked.split(/[«»]/);
  return { kind, secret, text: before + secret + after, isKnownAlone: false };
}

function privateKey(index: number, random: Random): SecretVector {
  const kinds = ['RSA ', 'EC ', 'DSA ', '', 'ENCRYPTED ', 'OPENSSH ', 'PGP '];
  const kind = kinds[index % kinds.length] ?? '';
  const block = kind === 'PGP ' ? ' BLOCK' : '';
  const headers = kind === 'RSA ' ? 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n' : '';
  const lines = Array.from({ length: 4 }, () => fill('{s64}', random));
  const secret = `${lines.join('\n')}\n${fill('{s20}==', random)}`;
  const armoured = [
    `-----BEGIN ${kind}PRIV`,
    `ATE KEY${block}-----\n${headers}`,
    secret,
    `\n-----END ${kind}PRIV`,
    `ATE KEY${block}-----`,
  ].join('');
  const named = { kind: 'private-key', isKnownAlone: false };
  if (index % 2 === 0) return { ...named, secret, text: `before\n${armoured}\nafter` };
  const escaped = (text: string): string => text.replaceAll('\n', '\\n');
  return { ...named, secret: escaped(secret), text: `{"key": "${escaped(armoured)}\\n"}` };
}

function basicAuths(count: number, random: Random): readonly SecretVector[] {
  return Array.from({ length: count }, () => {
    const secret = btoa(`service:${fill('{b16}', random)}`);
    return { kind: 'basic-auth', secret, isKnownAlone: false, text: `Authorization: Basic ${secret}` };
  });
}
