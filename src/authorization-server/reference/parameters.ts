import { FormError, type FormPairs, parseForm } from '../../http/form.js'

/** Parameters as the reference reads them: of a repeated one the first value, unknown ones too. */
export type ReferenceParameters = ReadonlyMap<string, string>

/** Reads form text; text that cannot be decoded holds nothing. Empty values count as missing. */
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
