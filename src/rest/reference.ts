/** The page about the REST API, made from its table. */
import { TOOLS } from '../tools/index.ts';
import { OTHER_ROUTES, TOOL_ROUTES } from './routes.ts';

const HEAD = `# Plain HTTP

Made by \`npm run reference\` from \`src/rest/routes.ts\`. How to start it: [Serve over HTTP](../guides/http.md#without-mcp).

Off unless \`waymark serve --rest\` (or \`WAYMARK_REST\`) says so. Every request needs the token that \`waymark token\` prints, as
\`Authorization: Bearer …\`, and passes the same checks as \`/mcp\`: Host, Origin, rate, at most 4 MiB.

## Tools

POST a JSON object with the arguments of the tool; \`project\` in it, or \`?project_path=\` in the address, names the project.
\`GET /mcp/tools/list\` has the schemas. \`--toolsets\` does not matter here: it saves tokens, and there are none to save.
`;

const TAIL = `## Answers

| status | body |
|---|---|
| 200 | \`success: true\`, the fields of the tool's output, and \`text\`: what an agent would read, stored text fenced as data |
| 202 | the same; the work goes on: follow its \`operation_id\` with \`/mcp/status\` or \`/mcp/sse/OPERATION_ID\` |
| 400, 403, 404, 405, 409, 413, 503 | \`success: false\`, \`error_type\`, \`message\`, \`instruction\` |
| 401, 421, 429, 500 | as [for every request](../guides/http.md#what-an-answer-means): a JSON-RPC error |

409 means that the project is only a guess and the call writes: name the project. \`switch_project\` is not here, because
plain HTTP has no connection that could remember it.
`;

export function renderRestReference(): string {
  const tools = TOOL_ROUTES.map(({ path, tool }) => {
    const title = TOOLS.find(({ name }) => name === tool)?.title ?? '';
    return `| \`POST ${path}\` | \`${tool}\` | ${title} |`;
  });
  const others = OTHER_ROUTES.map(({ verb, path, says }) => `| \`${verb} ${path}\` | ${says} |`);
  return [
    HEAD,
    ['| address | tool | what it is |', '|---|---|---|', ...tools, ''].join('\n'),
    ['## The rest', '', '| address | answers with |', '|---|---|', ...others, ''].join('\n'),
    TAIL,
  ].join('\n');
}
