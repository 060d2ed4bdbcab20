/** Puts values where an entry names variables, as the client does that reads it. Pure. */
import type { Client, VariableForm } from './client.ts';

interface FillInValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project that is open in the client. */
  readonly root: string | undefined;
}

export type FillIn = (text: string) => string;

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const FORMS: Readonly<Record<VariableForm, RegExp>> = {
  '${NAME}': new RegExp(`\\$\\{(${NAME})\\}`, 'g'),
  '${NAME:-default}': new RegExp(`\\$\\{(${NAME}):-([^}]*)\\}`, 'g'),
  $NAME: new RegExp(`\\$(${NAME})`, 'g'),
  '${env:NAME}': new RegExp(`\\$\\{env:(${NAME})\\}`, 'g'),
  '{env:NAME}': new RegExp(`\\{env:(${NAME})\\}`, 'g'),
  '${{ secrets.NAME }}': new RegExp(`\\$\\{\\{\\s*secrets\\.(${NAME})\\s*\\}\\}`, 'g'),
};

/** `where`: some clients fill in headers alone. */
export function fillInFor(
  { fillsIn, workspaceVariable }: Client,
  where: 'headers' | 'launch',
  { env, root }: FillInValues,
): FillIn {
  const forms = fillsIn?.only === 'headers' && where !== 'headers' ? [] : (fillsIn?.forms ?? []);
  return (text) => {
    const opened =
      workspaceVariable === undefined || root === undefined ? text : text.replaceAll(workspaceVariable, root);
    return forms.reduce(
      (filled, form) =>
        filled.replace(FORMS[form], (asWritten: string, name: string, other: unknown) =>
          valueOf(form, { value: env[name], asWritten, other }),
        ),
      opened,
    );
  };
}

/** A variable that is not set stays as it is written, unless the form says what then. */
function valueOf(
  form: VariableForm,
  { value, asWritten, other }: { value: string | undefined; asWritten: string; other: unknown },
): string {
  if (value !== undefined && value !== '') return value;
  if (form === '${NAME:-default}') return String(other);
  return form === '{env:NAME}' ? '' : asWritten;
}

/** Values that only the client can ask for or look up: what names them cannot be tried from outside. */
const ASKED_FOR = /\$\{(?:input|file|command|config):[^}]*\}/;

export function findAskedFor(texts: readonly string[]): string | undefined {
  return texts.map((text) => ASKED_FOR.exec(text)?.[0]).find((found) => found !== undefined);
}
