import { FormError, type FormPairs, parseForm } from '../../../protocol/http/form.js'

/** Parameters of a form, known and unknown. The first value of a repeated parameter counts. */
export type ReferenceParameters = ReadonlyMap<string, string>

/** Reads form text. Text that cannot be decoded gives no parameters. Empty values count as missing. */
export function referenceParameters(form: string): ReferenceParameters {
  let pairs: FormPairs
  try {
    pairs = parseForm(form)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    pairs = []
  }
  const values = new Map<string, string>()
  for (const [name, value] of pairs) if (value !== '' && !values.has(name)) values.set(name, value)
  return values
}
