/** Secrets of clouds, hosting and infrastructure. */
import { isWordy } from './randomness.ts';
import { named, shape, spellings, type NamedRule, type ShapeRule } from './rule.ts';

export const CLOUD_SHAPES: readonly ShapeRule[] = [
  shape(
    'aws-access-key',
    'akia asia abia acca a3t',
    /(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/y,
    { accept: (key) => (/\d/.test(key) || !isWordy(key)) && !/EXAMPLE/.test(key) },
  ),
  // The secret half, when it stands beside the key's id: in a credentials file, a CSV line, two arguments of a call.
  shape(
    'aws-secret-key',
    'akia asia',
    /(?<lead>A[KS]IA[A-Z0-9]{16}(?:[^\w/+]{1,20}[\w/+]{1,30}(?![\w/+])){0,4}?[^\w/+]{1,20})[A-Za-z0-9/+]{40}(?![\w/+=])/y,
    {
      accept: (secret) =>
        /\d/.test(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret) && !/EXAMPLE/.test(secret),
    },
  ),
  shape('aws-bedrock-key', 'absk', /ABSK[A-Za-z0-9+/]{109,269}={0,2}/y),
  shape('aws-bedrock-key', 'bedrock-api-key-', /bedrock-api-key-[A-Za-z0-9+/]{20,4000}={0,2}/y),
  shape('aws-mws-key', 'amzn.mws.', /amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y),
  shape('gcp-api-key', 'aiza', /AIza[\w-]{35}(?![\w-])/y),
  shape('gcp-oauth-secret', 'gocspx-', /GOCSPX-[\w-]{28}(?![\w-])/y),
  shape('gcp-access-token', 'ya29.', /ya29\.[\w-]{20,2000}(?:\.[\w-]{1,500})?/y),
  shape('gcp-refresh-token', '1//0', /1\/\/0[\w-]{40,200}(?![\w-])/y),
  shape(
    'gcp-service-account',
    'private_key_id',
    /(?<lead>private_key_id\\?["']\s{0,5}:\s{0,5}\\?["'])[0-9a-f]{40}(?![0-9a-f])/y,
    { place: 'inside' },
  ),
  shape('azure-storage-key', 'accountkey=', /(?<lead>AccountKey=)[A-Za-z0-9+/]{86}==/iy),
  shape(
    'azure-connection-string',
    'sharedaccesskey= accesskey=',
    /(?<lead>(?:Shared)?AccessKey=)[A-Za-z0-9+/]{43,86}={0,2}/iy,
    { place: 'inside' },
  ),
  shape(
    'azure-sas',
    'sig=',
    /(?<lead>sig=)[A-Za-z0-9+/_-]{20,90}(?:%[0-9A-Fa-f]{2}[A-Za-z0-9+/_-]{0,60}){0,20}=?(?![A-Za-z0-9])/y,
    { accept: (sig) => sig.length >= 40 && /\d/.test(sig) },
  ),
  shape(
    'azure-client-secret',
    'q~',
    /Q~[\w~.-]{31,34}(?![\w~.-])(?<=(?<!(?<!\\)[\w~.-])(?<before>[\w~.-]{3}\d)Q~[\w~.-]{31,34})/y,
    {
      place: 'inside',
    },
  ),
  shape(
    'azure-devops-token',
    'azdo',
    /AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])(?<=(?<!(?<!\\)[A-Za-z0-9])(?<before>[A-Za-z0-9]{76})AZDO[A-Za-z0-9]{4})/y,
    { place: 'inside' },
  ),
  shape(
    'azure-registry-key',
    '+acr',
    /(?<=(?<!(?<!\\)[A-Za-z0-9+/])(?<before>[A-Za-z0-9+/]{42}))\+ACR[A-Za-z0-9]{6}(?![A-Za-z0-9])/y,
    { place: 'inside' },
  ),
  shape('alibaba-access-key', 'ltai', /LTAI[A-Za-z0-9]{17,21}(?![A-Za-z0-9])/y),
  shape('tencent-secret-id', 'akid', /AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])/y),
  shape('digitalocean-token', 'doo_v1_ dop_v1_ dor_v1_', /do[opr]_v1_[a-f0-9]{64}(?!\w)/y),
  shape('heroku-key', 'hrku-', /HRKU-(?:AA[\w-]{58}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/y),
  shape('cloudflare-origin-key', 'v1.0-', /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}(?!\w)/y),
  shape('vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', /vc[piark]_[A-Za-z0-9]{24,80}(?!\w)/y),
  shape('netlify-token', 'nfp_ nfc_ nfo_ nfu_', /nf[pcou]_[A-Za-z0-9]{36}(?!\w)/y),
  shape(
    'fly-token',
    'fo1_ fm1a_ fm1r_ fm2_',
    /(?:fo1_[\w-]{43}|fm1[ar]_[A-Za-z0-9+/]{100,2000}={0,3}|fm2_[A-Za-z0-9+/]{100,2000}={0,3})/y,
  ),
  shape('render-key', 'rnd_', /rnd_[A-Za-z0-9]{28,40}(?!\w)/y),
  shape('supabase-key', 'sbp_ sb_secret_', /(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,60})(?![\w-])/y),
  shape('planetscale-token', 'pscale_', /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}(?![\w-])/y),
  shape('neon-key', 'napi_', /napi_[a-z0-9]{48,80}(?!\w)/y),
  shape(
    'doppler-token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}(?!\w)/y,
  ),
  shape('vault-token', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{24,300}(?![\w-])/y),
  shape(
    'terraform-token',
    '.atlasv1.',
    /(?<=(?<!(?<!\\)[A-Za-z0-9])(?<before>[A-Za-z0-9]{14}))\.atlasv1\.[\w=-]{60,70}(?![\w-])/y,
    { place: 'inside' },
  ),
  shape('infracost-key', 'ico-', /ico-[A-Za-z0-9]{32}(?!\w)/y),
  shape('octopus-key', 'api-', /API-[A-Z0-9]{26}(?!\w)/y),
  shape('scalingo-token', 'tk-us-', /tk-us-[\w-]{48}(?![\w-])/y),
  shape('clickhouse-key', '4b1d', /4b1d[A-Za-z0-9]{38}(?!\w)/y),
  shape('pulumi-token', 'pul-', /pul-[a-f0-9]{40}(?!\w)/y),
  shape(
    'tailscale-key',
    'tskey-',
    /tskey-(?:[a-z]{3,10}-)?[A-Za-z0-9]{6,40}(?:CNTRL)?-[A-Za-z0-9]{20,60}(?!\w)/y,
  ),
  shape('onepassword-token', 'ops_eyj', /ops_eyJ[A-Za-z0-9+/_-]{200,2000}={0,3}/y),
  shape(
    'onepassword-secret-key',
    'a3-',
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![\w-])/y,
  ),
  shape('openshift-token', 'sha256~', /sha256~[\w-]{43}(?![\w-])/y),
  shape('okta-token', ['ssws '], /(?<lead>SSWS )00[\w-]{40}(?![\w-])/iy),
];

export const CLOUD_NAMES: readonly NamedRule[] = [
  named(
    'aws-secret-key',
    [...spellings('secret', 'access', 'key'), 'aws_secret', 'aws-secret', 'awssecret', 'aws_sk'],
    /^[A-Za-z0-9/+]{40}$/,
  ),
  named(
    'aws-session-token',
    'aws_session_token awssessiontoken sessiontoken',
    /^[A-Za-z0-9/+]{100,2000}={0,2}$/,
  ),
  named(
    'azure-storage-key',
    [...spellings('account', 'key'), ...spellings('storage', 'key'), ...spellings('cosmos', 'key')],
    /^[A-Za-z0-9+/]{86}==$/,
  ),
  named('heroku-key', 'heroku', /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/),
  named('cloudflare-token', 'cloudflare cf_api cf-api cfapi x-auth-key', /^(?:[\w-]{40}|[a-f0-9]{37})$/),
  named('fastly-token', 'fastly', /^[\w-]{32}$/),
  named('vercel-token', 'vercel', /^[A-Za-z0-9]{24}$/),
  named('netlify-token', 'netlify', /^[\w-]{40,64}$/),
  named('linode-token', 'linode', /^[a-f0-9]{64}$/),
  named('hetzner-token', 'hcloud hetzner', /^[A-Za-z0-9]{64}$/),
  named('scaleway-key', 'scaleway scw_secret', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  named('vault-token', 'vault_token vaulttoken vault-token', /^s\.[A-Za-z0-9]{24}$/),
  named('okta-token', 'okta', /^00[\w-]{40}$/),
  named('auth0-secret', 'auth0', /^[\w-]{64}$/),
  named('ngrok-token', 'ngrok authtoken', /^[0-9][A-Za-z0-9]{24,27}_[A-Za-z0-9]{20,24}$/),
];
