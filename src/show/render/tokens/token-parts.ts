import type { StepToken } from '../../../flows/step.js'
import { maskValue } from '../../../protocol/safe-output/mask.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { foreign, line, span } from '../text/spans.js'
import { wrap } from '../text/text.js'

/** How the raw parts of a token are to be shown. */
export interface PartsView {
  readonly columns: number
  readonly showSecrets: boolean
  readonly signs: Signs
}

function jsonLines(members: object, { columns, signs }: PartsView): Line[] {
  return JSON.stringify(members, null, 2)
    .split('\n')
    .flatMap(text => wrap(foreign(text, signs), columns - 2).map(part => line(`  ${part}`)))
}

/** A token as it travels, part by part: each as it is written, and what it holds. */
export function tokenParts(token: StepToken, view: PartsView): Line[] {
  const { columns, showSecrets, signs } = view
  const written = (text: string): Line[] =>
    wrap(foreign(text, signs), columns - 2).map(part => line(`  ${part}`, 'dim'))
  const title = (name: string, characters: number): Line => [
    span(name, 'name'),
    span(`  ${characters.toLocaleString('en-US')} characters`, 'dim'),
  ]
  const decoded = decodeIfJwt(token.value)
  if (decoded === undefined) {
    const value = showSecrets ? token.value : maskValue(token.value)
    return [title('opaque', token.value.length), ...written(value)]
  }
  const [header, claims, signature] = decoded.parts
  // Anyone who has the signature has the token; the other parts are in the pane already.
  const proof = showSecrets ? signature : maskValue(signature)
  return [
    title('header', header.length),
    ...written(header),
    ...jsonLines(decoded.header, view),
    line(''),
    title('claims', claims.length),
    ...written(claims),
    ...jsonLines(decoded.claims, view),
    line(''),
    title('signature', signature.length),
    ...written(proof === '' ? 'none' : proof),
    ...(showSecrets || signature === '' ? [] : [line('  s shows it whole', 'dim')]),
  ]
}
