/** Secrets of code hosts, package registries, build services and model providers. */
import { isFilled } from './placeholder.ts';
import { isMixedKey, isWordy } from './randomness.ts';
import { named, shape, type NamedRule, type ShapeRule } from './rule.ts';

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

export const CODE_SHAPES: readonly ShapeRule[] = [
  shape(
    'github-token',
    'ghp_ gho_ ghu_ ghs_ ghr_',
    /gh[pousr]_(?:[A-Za-z0-9]{36,255}(?!\w)|\d{1,12}_eyJ[\w.-]{30,2000})/y,
  ),
  shape('github-token', 'github_pat_', /github_pat_\w{70,100}(?!\w)/y),
  shape(
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glft- glsoat- glimt- glagent- gloas- glptt- glcbt- glffct- glwt-',
    /gl(?:pat|dt|rtr?|ft|soat|imt|agent|oas|ptt|cbt|ffct|wt)-[\w.-]{20,80}/y,
  ),
  shape('gitlab-token', 'gr1348941', /GR1348941[\w-]{20}(?![\w-])/y),
  shape('bitbucket-token', 'atbb', /ATBB[A-Za-z0-9]{32}(?!\w)/y),
  shape('atlassian-token', 'atatt3 atctt3 atsta', /(?:ATATT3|ATCTT3|ATSTA)[\w=-]{60,400}/y),
  shape(
    'sourcegraph-token',
    'sgp_ slk_ sgd_',
    /(?:sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}|(?:slk|sgd)_[a-f0-9]{64})(?!\w)/y,
  ),
  shape('npm-token', 'npm_', /npm_[A-Za-z0-9]{36}(?!\w)/y),
  shape('pypi-token', 'pypi-', /pypi-AgE[\w-]{50,1000}/y),
  shape('rubygems-key', 'rubygems_', /rubygems_[a-f0-9]{48}(?!\w)/y),
  shape('dockerhub-token', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[\w-]{27,36}(?![\w-])/y),
  shape('nuget-key', 'oy2', /oy2[a-z0-9]{43}(?!\w)/y),
  shape('crates-token', 'cio', /cio[A-Za-z0-9]{32}(?!\w)/y, {
    accept: isMixedKey,
  }),
  shape('clojars-token', 'clojars_', /CLOJARS_[a-z0-9]{60}(?!\w)/y),
  shape('artifactory-key', 'akcp cmvmd', /(?:AKCp[A-Za-z0-9]{69,72}|cmVmd[A-Za-z0-9]{59})(?!\w)/y),
  shape('packagist-token', 'packagist_', /packagist_[ou][ru]t_[a-f0-9]{68}(?!\w)/y),
  shape('circleci-token', 'ccipat_ cciprj_', /CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}(?!\w)/y),
  shape('buildkite-token', 'bkua_ bkaj_ bkct_ bkpt_', /bk(?:ua|aj|ct|pt)_[a-z0-9]{40,64}(?!\w)/y),
  shape('sonar-token', 'sqa_ sqp_ squ_', /sq[apu]_[a-f0-9]{40}(?!\w)/y),
  shape('snyk-token', 'snyk_uat. snyk_sat.', /snyk_[us]at\.[a-z0-9]{8}\.[\w.-]{40,300}/y),
  shape('postman-key', 'pmak-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}(?!\w)/y),
  shape('prefect-key', 'pnu_ pnb_', /pn[ub]_[A-Za-z0-9]{36}(?!\w)/y),
  shape('harness-key', 'pat. sat.', /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}(?!\w)/y),
  shape('gitlab-session', '_gitlab_session=', /(?<lead>_gitlab_session=)[0-9a-z]{32}(?!\w)/y),
  shape('settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', /sm_[aps]at_[A-Za-z0-9]{16}(?!\w)/y),
  shape('readme-key', 'rdme_', /rdme_[a-z0-9]{70}(?!\w)/y),

  shape('huggingface-token', 'hf_ api_org_', /(?:hf_|api_org_)[A-Za-z0-9]{34,40}(?!\w)/y, {
    accept: (key) => !isWordy(key) && !isFilled(key),
  }),
  shape('anthropic-key', 'sk-ant-', /sk-ant-[a-z0-9]{3,10}-[\w-]{40,200}/y),
  shape('openrouter-key', 'sk-or-', /sk-or-v1-[a-f0-9]{64}(?!\w)/y),
  shape(
    'openai-key',
    'sk-proj- sk-svcacct- sk-admin- sk-none-',
    /sk-(?:proj|svcacct|admin|None)-[\w-]{40,300}/y,
  ),
  shape('openai-key', 'sk-', /sk-(?:[A-Za-z0-9]{32,64}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})(?![\w-])/y, {
    accept: (key) => /\d/.test(key) || !isWordy(key),
  }),
  shape('groq-key', 'gsk_', /gsk_[A-Za-z0-9]{48,60}(?!\w)/y),
  shape('replicate-token', 'r8_', /r8_[A-Za-z0-9]{37,40}(?!\w)/y),
  shape('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{40,64}(?!\w)/y),
  shape('xai-key', 'xai-', /xai-[A-Za-z0-9]{70,90}(?!\w)/y),
  shape('nvidia-key', 'nvapi-', /nvapi-[\w-]{60,70}(?![\w-])/y),
  shape('langsmith-key', 'lsv2_', /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}(?!\w)/y),
  shape('pinecone-key', 'pcsk_', /pcsk_\w{50,80}(?!\w)/y),
  shape('cerebras-key', 'csk-', /csk-[a-z0-9]{48}(?!\w)/y),
  shape('tavily-key', 'tvly-', /tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}(?!\w)/y),
  shape('elevenlabs-key', 'sk_', /sk_[a-f0-9]{48}(?!\w)/y),
  shape('databricks-token', 'dapi dkea dose', /(?:dapi|dkea|dose)[a-f0-9]{32}(?:-\d)?(?!\w)/y),
];

export const CODE_NAMES: readonly NamedRule[] = [
  named('bitbucket-token', 'bitbucket', /^(?:[A-Za-z0-9]{32}|[\w=-]{64})$/),
  named('atlassian-token', 'atlassian jira confluence', /^[A-Za-z0-9]{24}$/),
  named('npm-token', '_authtoken', UUID),
  named('docker-auth', '"auth" _auth', /^[A-Za-z0-9+/]{16,400}={0,2}$/),
  named('cohere-key', 'cohere co_api_key', /^[A-Za-z0-9]{40}$/),
  named('mistral-key', 'mistral', /^[A-Za-z0-9]{32}$/),
  named('together-key', 'together', /^[a-f0-9]{64}$/),
  named('azure-openai-key', 'azure_openai azureopenai openai_api_key', /^(?:[a-f0-9]{32}|[A-Za-z0-9]{84})$/),
  named('wandb-key', 'wandb', /^[a-f0-9]{40}$/),
  named('snyk-token', 'snyk', UUID),
  named('codecov-token', 'codecov', UUID),
  named('travis-token', 'travis', /^[\w-]{22}$/),
  named('gitea-token', 'gitea forgejo', /^[a-f0-9]{40}$/),
  named('github-token', 'github', /^[a-f0-9]{40}$/),
];
