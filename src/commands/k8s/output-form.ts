import { Option } from 'commander'
import { UsageError } from '../../errors.js'
import type { Globals } from '../globals.js'
import { printJson } from '../output.js'

/** The choices of `-o`. */
export const FORMS = ['token', 'json', 'yaml', 'decoded', 'exec-credential'] as const

/** How a result is written. */
export type OutputForm = (typeof FORMS)[number]

/** `-o`, with the forms that this command has. */
export function outputOption(...forms: readonly OutputForm[]): Option {
  return new Option('-o, --output <form>', 'how the result is written').choices([...forms])
}

/**
 * The form that was asked for; `--json` is `-o json`.
 * @throws UsageError where they contradict each other
 */
export function formOf(output: OutputForm | undefined, { json }: Globals): OutputForm | undefined {
  if (json && output !== undefined && output !== 'json') {
    throw new UsageError(`--json and -o ${output} are two forms`, ['Leave one out'])
  }
  return json ? 'json' : output
}

/** Writes an object: JSON on one line, or YAML. */
export async function printObject(form: 'json' | 'yaml', object: unknown): Promise<void> {
  if (form === 'json') return printJson(object)
  const [{ stringify }, { yamlText }] = await Promise.all([
    import('yaml'),
    import('../../render/yaml-text.js'),
  ])
  process.stdout.write(yamlText(object, stringify))
}
