/** The examples of `docker/` without a container engine: what they start is started here, with their commands and variables, and their own probes look at it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/config/index.ts';
import { toSteps } from '../package/lint-dockerfile.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { send } from '../support/raw-http.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

const OWN_TOKEN = 'a-token-of-the-house-with-40-characters-2';
const dockerfile = toSteps(readFileSync('docker/Dockerfile', 'utf8'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

interface Compose {
  readonly services: {
    readonly db: { readonly image: string; readonly environment: Readonly<Record<string, string>> };
    readonly waymark: {
      readonly build: Readonly<Record<string, string>>;
      readonly environment: Readonly<Record<string, string>>;
      readonly command: readonly string[];
      readonly ports: readonly string[];
      readonly volumes: readonly string[];
      readonly healthcheck: { readonly test: readonly string[] };
    };
  };
}

interface Probe {
  readonly httpGet: {
    readonly path: string;
    readonly port: number;
    readonly httpHeaders: readonly { readonly name: string; readonly value: string }[];
  };
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly valueFrom: { readonly secretKeyRef: unknown } }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly Container[];
        readonly volumes: readonly {
          readonly name: string;
          readonly persistentVolumeClaim: { readonly claimName: string };
        }[];
      };
    };
    readonly selector: Readonly<Record<string, unknown>>;
    readonly ports: readonly { readonly targetPort: number }[];
  };
}

export function describeDeployments(serverOf: () => PostgresServer): void {
  /** As the image sets it, in folders of this test. */
  async function startLike(command: readonly string[]) {
    const home = emptyHome();
    const project = tempFolder().path;
    const words = command.map((word) => word.replace(/\/project$/, project));
    const env = {
      ...imageVariables(home.folder.path),
      WAYMARK_STORAGE: await serverOf().newDatabase(),
      WAYMARK_TOKEN: OWN_TOKEN,
    };
    expect(words[0]).toBe('serve');
    return serve(words.slice(1), { home, env });
  }

  describe('R165 the examples of deployments', () => {
    test('compose.yaml starts a server that asks for the token and that its own health check finds ready', async () => {
      const compose: Compose = parse(readFileSync('docker/compose.yaml', 'utf8'));
      const { db, waymark } = compose.services;
      const served = await startLike(waymark.command);
      const [, program, ...args] = waymark.healthcheck.test;
      const check = promisify(execFile)(
        program === 'node' ? process.execPath : '',
        args.map((word) => word.replace(`:${PORT}/`, `:${served.port}/`)),
      );
      const stranger = await send(served.port, { method: 'GET', path: '/mcp', headers: {} });

      await expect(check).resolves.toMatchObject({ stderr: '' });
      expect(stranger.status).toBe(401);
      expect(Object.keys(waymark.environment).filter((name) => !VARIABLES.has(name))).toEqual([]);
      const storage = new URL(
        waymark.environment['WAYMARK_STORAGE']?.replaceAll('${POSTGRES_PASSWORD}', 'secret') ?? '',
      );
      expect([storage.username, storage.hostname, storage.pathname]).toEqual([
        db.environment['POSTGRES_USER'],
        'db',
        `/${db.environment['POSTGRES_DB']}`,
      ]);
      expect(db.image).toMatch(/^postgres:1[5-8]$/);
      expect(waymark.build['dockerfile']).toBe('docker/Dockerfile');
      expect(waymark.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`]);
      expect(waymark.volumes).toEqual([`waymark:${imageVariables('')['WAYMARK_DATA_DIR']}`]);
    });

    test('kubernetes.yaml migrates, then starts servers that its own probes find ready', async () => {
      const manifests = parseAllDocuments(readFileSync('docker/kubernetes.yaml', 'utf8')).map(
        (document): Manifest => document.toJS(),
      );
      const of = (kind: string): Manifest['spec'] => {
        const found = manifests.find((one) => one.kind === kind);
        if (found === undefined) throw new Error(`there is no ${kind}`);
        return found.spec;
      };
      const { containers, volumes, terminationGracePeriodSeconds } = of('Deployment').template.spec;
      const [container] = containers;
      const [job] = of('Job').template.spec.containers;
      if (container === undefined || job === undefined) throw new Error('there is no container');
      const migrated = await run(job.args, {
        env: { WAYMARK_STORAGE: await serverOf().newDatabase() },
      });
      const served = await startLike(container.args);
      const probed = [container.readinessProbe, container.livenessProbe].map(({ httpGet }) =>
        send(served.port, {
          method: 'GET',
          path: httpGet.path,
          headers: Object.fromEntries(
            httpGet.httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
          ),
        }),
      );

      expect((await Promise.all(probed)).map(({ status }) => status)).toEqual([200, 200]);
      expect(migrated.stdout).toContain('The tables are of version');
      for (const { image, env } of [container, job]) {
        expect(image).toMatch(new RegExp(`:${version}$`));
        expect(env.filter(({ name }) => !VARIABLES.has(name))).toEqual([]);
      }
      const ports = [
        container.ports[0]?.containerPort,
        container.readinessProbe.httpGet.port,
        container.livenessProbe.httpGet.port,
        of('Service').ports[0]?.targetPort,
      ];
      expect(ports).toEqual([PORT, PORT, PORT, PORT]);
      expect(of('Service').selector).toEqual({ app: 'waymark' });
      expect(container.volumeMounts).toEqual([
        { name: volumes[0]?.name, mountPath: imageVariables('')['WAYMARK_DATA_DIR'] },
      ]);
      expect(volumes[0]?.persistentVolumeClaim.claimName).toBe(
        manifests.find(({ kind }) => kind === 'PersistentVolumeClaim')?.metadata.name,
      );
      expect(terminationGracePeriodSeconds).toBeGreaterThan(container.lifecycle.preStop.sleep.seconds);
    });
  });
}

const VARIABLES: ReadonlySet<string> = new Set(SETTINGS.map(({ env }) => env));
/** Where a server listens if it is told nothing else. */
const PORT = Number(SETTINGS.find(({ key }) => key === 'port')?.default);

function imageVariables(below: string): Readonly<Record<string, string>> {
  const said = dockerfile.filter(({ word }) => word === 'ENV').map(({ rest }) => rest);
  const pairs = said.flatMap((rest) => [...rest.matchAll(/(WAYMARK_\w+)=(\S+)/g)]);
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, below + value]));
}
