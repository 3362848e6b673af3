import type { Fragment, FragmentFinding, FragmentPart } from '../../../judge/explain/paste/fragment.js'
import { masked, maskText, maskUrl, maskValue } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { defined } from '../../../protocol/values.js'
import { signsFor } from '../text/signs.js'
import { cutEnd, hanging, pad, type TextView, width } from '../text/text.js'
import { sentence } from './explain-lines.js'

/** Widest column of names, and longest value, in characters. */
const MAX_NAME = 24
const MAX_VALUE = 200

const TOKEN = /^ey[\w-]+\.[\w.-]+$/

function shownValue({ name, value, isSecret }: FragmentPart, showSecrets: boolean): string {
  if (showSecrets) return value
  if (TOKEN.test(value)) return maskValue(value)
  const hidden = masked(name, value)
  // The value of a cookie, and of other things whose names say nothing, is hidden whole.
  if (isSecret) return hidden === value ? masked('password', value) : hidden
  return /^[a-z][\w+.-]*:\/\//i.test(value) ? maskUrl(value, 'all') : maskText(value)
}

/** A pasted text for people: what it is, its values, what is wrong, why, and the next move. */
export function fragmentLines(fragment: Fragment, { showSecrets, ascii, columns }: TextView): string[] {
  const { title, parts, findings, causes = [], next } = fragment
  const signs = signsFor({ ascii })
  const safe = (words: string) => makeSafe(words, { ascii })
  const said = (words: string) => safe(showSecrets ? words : maskText(words))
  const room = { columns, width }
  const column = Math.min(MAX_NAME, Math.max(0, ...parts.map(({ name }) => width(safe(name)))))
  const row = (each: FragmentPart) => {
    const value = cutEnd(safe(shownValue(each, showSecrets)), MAX_VALUE, signs.ellipsis)
    const meaning = each.meaning === '' ? '' : `  ${safe(each.meaning)}`
    return hanging(
      `  ${pad(cutEnd(safe(each.name), column, signs.ellipsis), column)}  `,
      `${value}${meaning}`,
      room,
    )
  }
  const found = ({ severity, name, rule, text, next: move }: FragmentFinding) => [
    ...hanging(
      `${severity === 'fault' ? signs.refused : signs.look} `,
      said(`${sentence(text)} (${name}, ${rule})`),
      room,
    ),
    ...(move === undefined ? [] : hanging('  next  ', safe(sentence(move)), room)),
  ]
  const block = (lines: readonly string[]) => (lines.length === 0 ? [] : ['', ...lines])
  return [
    ...hanging('', safe(`This is ${title}.`), room),
    ...block(parts.flatMap(row)),
    ...block(findings.flatMap(found)),
    ...block(
      causes.flatMap((cause, i) =>
        hanging(`${i === 0 ? 'likely' : '      '}  ${i + 1}. `, safe(sentence(cause)), room),
      ),
    ),
    ...block(next === undefined ? [] : [`Next:  ${safe(next)}`]),
  ]
}

/** A pasted text as lines of JSON: the fragment, its findings, and last the outcome. */
export function fragmentJson(fragment: Fragment, showSecrets: boolean): object[] {
  const { what, title, parts, findings, causes, next } = fragment
  const said = (text: string) => (showSecrets ? text : maskText(text))
  const members = parts.map(each => ({
    name: each.name,
    value: shownValue(each, showSecrets),
    meaning: each.meaning || undefined,
  }))
  return [
    defined({ type: 'fragment', what, title, parts: members.map(each => defined(each)), causes, next }),
    ...findings.map(({ text, words, ...each }) =>
      defined({ type: 'finding', ...each, text: said(text), words: words && said(words) }),
    ),
  ]
}
