/** Secrets of messaging, payment, mail, monitoring and office services. */
import { isMixedKey, looksRandom } from './randomness.ts';
import { named, shape, type NamedRule, type ShapeRule } from './rule.ts';

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

export const SERVICE_SHAPES: readonly ShapeRule[] = [
  shape(
    'slack-token',
    'xoxb- xoxa- xoxp- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xox',
    /xox[abcdeoprs](?:\.xox[bp])?-[\w%-]{10,300}/y,
    { accept: (token) => /\d{6}|-\d+-\d+-/.test(token) || looksRandom(token.slice(5), 10) },
  ),
  shape('slack-token', 'xapp-', /xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-z0-9]{20,100}/iy),
  shape(
    'slack-webhook',
    'hooks.slack.com/',
    /(?<lead>hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/+-]{30,100}/y,
  ),
  shape('discord-webhook', '/api/webhooks/', /(?<lead>\/api\/webhooks\/\d{15,22}\/)[\w-]{50,90}/y, {
    place: 'inside',
  }),
  shape(
    'teams-webhook',
    'webhook.office.com/',
    /(?<lead>webhook\.office\.com\/webhookb2\/)[\w@-]{60,100}\/IncomingWebhook\/[a-z0-9]{32}(?:\/[\w-]{20,60}){1,2}/y,
  ),
  shape('telegram-token', ':aa', /(?<=(?<!(?<!\\)[\w-])(?:bot)?(?<before>\d{8,10})):AA[\w-]{33}(?![\w-])/y, {
    place: 'inside',
  }),
  shape(
    'stripe-key',
    'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_',
    /[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}(?!\w)/y,
  ),
  shape('webhook-secret', 'whsec_', /whsec_[A-Za-z0-9+/]{24,80}={0,2}/y),
  shape(
    'square-token',
    'sq0atp- sq0csp- sq0idp-',
    /sq0(?:atp|idp)-[\w-]{22}(?![\w-])|sq0csp-[\w-]{43}(?![\w-])/y,
  ),
  shape('square-token', 'eaaa', /EAAA[\w-]{22,60}(?![\w-])/y, {
    accept: (key) => looksRandom(key.slice(4), 22),
  }),
  shape('facebook-token', 'eaa', /EAA[A-Z0-9][A-Za-z0-9]{90,300}(?!\w)/y),
  shape(
    'paypal-token',
    'access_token$',
    /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}(?!\w)/y,
  ),
  shape(
    'shopify-token',
    'shpat_ shpca_ shppa_ shpss_ shptka_',
    /shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}(?!\w)/y,
  ),
  shape('waymark-token', 'waymark_', /waymark_[0-9a-f]{16}_[\w-]{43}(?![\w-])/y),
  shape(
    'plaid-token',
    'access-sandbox- access-development- access-production-',
    /access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
  ),
  shape('razorpay-key', 'rzp_live_ rzp_test_', /rzp_(?:live|test)_[A-Za-z0-9]{14}(?!\w)/y),
  shape('flutterwave-key', 'flwseck', /FLWSECK(?:_TEST)?-[a-h0-9]{12,40}(?:-X)?(?!\w)/y),
  shape(
    'twilio-key',
    '0123456789abcdef'.split('').map((digit) => `sk${digit}`),
    /SK[0-9a-fA-F]{32}(?!\w)/y,
  ),
  shape('sendgrid-key', 'sg.', /SG\.[\w-]{20,24}\.[\w-]{39,50}(?![\w-])/y),
  shape('mailgun-key', 'key-', /key-[a-f0-9]{32}(?!\w)/y),
  shape('mailgun-key', 'pubkey-', /pubkey-[a-f0-9]{32}(?!\w)/y),
  shape('mailchimp-key', '-us', /(?<=(?<!(?<!\\)\w)(?<before>[a-f0-9]{32}))-us\d{1,2}(?!\w)/y, {
    place: 'inside',
  }),
  shape('brevo-key', 'xkeysib- xsmtpsib-', /x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}(?!\w)/y),
  shape('resend-key', 're_', /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?!\w)/y, {
    accept: isMixedKey,
  }),
  shape('sentry-token', 'sntrys_ sntryu_', /sntry(?:s_eyJ[\w+/=-]{60,400}|u_[a-f0-9]{64})(?!\w)/y),
  shape(
    'newrelic-key',
    'nrak- nrii- nriq- nrra- nrsp- nrbr-',
    /NR(?:AK-[A-Z0-9]{27}|I[IQ]-[\w-]{32}|RA-[a-f0-9]{42}|(?:SP|BR)-[\w-]{20,50})(?!\w)/y,
  ),
  shape('newrelic-key', 'nral', /(?<=(?<!(?<!\\)\w)(?<before>[a-f0-9]{36}))(?:FFFF)?NRAL(?!\w)/y, {
    place: 'inside',
  }),
  shape(
    'grafana-token',
    'glc_ glsa_',
    /(?:glc_[A-Za-z0-9+/]{32,400}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?!\w))/y,
  ),
  shape('grafana-token', 'eyjrijoi', /eyJrIjoi[A-Za-z0-9+/]{40,400}={0,3}/y),
  shape('pagerduty-key', 'u+', /u\+[A-Za-z0-9_+-]{18}(?![\w+/-])/y, {
    accept: isMixedKey,
  }),
  shape(
    'dynatrace-token',
    'dt0c01. dt0s01. dt0s02. dt0s08.',
    /dt0[cs]0\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}(?!\w)/iy,
  ),
  shape('honeycomb-key', 'hcaik_ hcbik_ hccik_', /hc[abc]ik_[a-z0-9]{26,64}(?!\w)/y),
  shape('linear-key', 'lin_api_ lin_oauth_ lin_wh_', /lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}(?!\w)/y),
  shape('notion-token', 'ntn_', /ntn_[A-Za-z0-9]{40,50}(?!\w)/y),
  shape('notion-token', 'secret_', /secret_[A-Za-z0-9]{43}(?!\w)/y),
  shape('figma-token', 'figd_ figo_ figor_ figu_', /fig(?:d|o|or|u)_[\w-]{36,60}/y),
  shape('airtable-token', 'pat', /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?!\w)/y),
  shape('asana-token', '1/1 2/1 0/1', /[012]\/\d{10,20}(?:\/\d{10,20})?:[a-f0-9]{32}(?!\w)/y),
  shape('dropbox-token', 'sl.', /sl\.(?:u\.)?[\w=-]{80,2000}/y),
  shape(
    'hubspot-token',
    'pat-na pat-eu pat-ap',
    /pat-(?:na|eu|ap)\d-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/y,
  ),
  shape('salesforce-token', '00d', /00D[A-Za-z0-9]{12,15}![\w.]{80,120}/y),
  shape('trello-token', 'atta', /ATTA[a-f0-9]{64,76}(?:[A-F0-9]{8})?(?!\w)/y),
  shape('twitter-token', 'aaaaaaaaaaaaaaaaaaaa', /A{20,22}[A-Za-z0-9%]{60,110}(?!\w)/y, {
    accept: (key) => /%|[a-z].*\d/.test(key.slice(24)) && !/^A*$/.test(key),
  }),
  shape('firebase-key', ':apa91b', /(?<=(?<!(?<!\\)[\w-])(?<before>AAAA[\w-]{7})):APA91b[\w-]{120,150}/y, {
    place: 'inside',
  }),
  shape('mapbox-token', 'sk.eyj', /sk\.eyJ[\w-]{60,300}\.[\w-]{20,40}/y),
  shape('easypost-key', 'ezak eztk', /EZ[AT]K[A-Za-z0-9]{54}(?!\w)/y),
  shape('shippo-token', 'shippo_live_ shippo_test_', /shippo_(?:live|test)_[a-fA-F0-9]{40}(?!\w)/y),
  shape('duffel-token', 'duffel_live_ duffel_test_', /duffel_(?:live|test)_[\w=-]{43}(?![\w-])/y),
  shape('typeform-token', 'tfp_', /tfp_[\w.=-]{40,70}(?![\w-])/y),
  shape('contentful-token', 'cfpat-', /CFPAT-[\w-]{43}(?![\w-])/y),
  shape('posthog-key', 'phx_ phs_', /ph[xs]_[A-Za-z0-9]{40,60}(?!\w)/y),
  shape(
    'launchdarkly-key',
    'sdk- api- rel-',
    /(?:sdk|api|rel)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![\w-])/y,
  ),
  shape('maxmind-key', '_mmk', /(?<=(?<!(?<!\\)\w)(?<before>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}))_mmk(?!\w)/y, {
    place: 'inside',
  }),
  shape('frameio-token', 'fio-u-', /fio-u-[\w=-]{64}(?![\w-])/y),
  shape('lob-key', 'live_ test_', /(?:live|test)_[a-f0-9]{35}(?!\w)/y),
  shape('mollie-key', 'live_', /live_[A-Za-z0-9]{30}(?!\w)/y),
  shape('intra42-secret', 's-s4t2', /s-s4t2(?:ud|af)-[a-f0-9]{64}(?!\w)/y),
  shape('adobe-secret', 'p8e-', /p8e-[A-Za-z0-9_-]{32}(?![\w-])/y),
];

export const SERVICE_NAMES: readonly NamedRule[] = [
  named(
    'discord-token',
    'discord .login bot_token token',
    /^(?:mfa\.[\w-]{60,100}|[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6,7}\.[\w-]{27,38})$/,
  ),
  named('discord-secret', 'discord', /^[\w-]{32}$/),
  named('paypal-secret', 'paypal', /^E[\w-]{60,90}$/),
  named('twilio-token', 'twilio', /^[0-9a-f]{32}$/),
  named('mailgun-key', 'mailgun', /^[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}$/),
  named('postmark-token', 'postmark', UUID),
  named('datadog-key', 'datadog dd_api dd_app dd-api dd-app ddapi', /^(?:[a-f0-9]{32}|[a-f0-9]{40})$/),
  named('newrelic-key', 'newrelic new_relic', /^[a-f0-9]{40}$/),
  named('pagerduty-key', 'pagerduty pager_duty pd_api', /^(?:[\w+-]{20}|[a-f0-9]{32})$/),
  named('algolia-key', 'algolia', /^[a-f0-9]{32}$/),
  named('airtable-key', 'airtable', /^key[A-Za-z0-9]{14}$/),
  named('asana-secret', 'asana', /^[a-z0-9]{32}$/),
  named('dropbox-secret', 'dropbox', /^(?:[a-z0-9]{15}|[\w-]{64})$/),
  named('opsgenie-key', 'opsgenie', UUID),
  named('splunk-token', 'splunk hec_token', UUID),
  named('rollbar-token', 'rollbar', /^[a-f0-9]{32}$/),
  named('trello-token', 'trello', /^(?:[a-f0-9]{32}|[a-f0-9]{64})$/),
  named('twitch-secret', 'twitch', /^[a-z0-9]{30}$/),
  named('spotify-secret', 'spotify', /^[a-f0-9]{32}$/),
  named('facebook-secret', 'facebook fb_app fbapp', /^[a-f0-9]{32}$/),
  named('intercom-token', 'intercom', /^dG9r[\w+/-]{50,60}=?$/),
];
