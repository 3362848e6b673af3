/** Markup that is safe to put into a page. Make it with `html`. */
export class Html {
  constructor(readonly markup: string) {}
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  if (!/[&<>"'\ud800-\udfff]/.test(text)) return text
  return text.toWellFormed().replace(/[&<>"']/g, char => entities[char] ?? char)
}

function written(value: Html | readonly Html[] | string | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  return value instanceof Html ? value.markup : value.map(each => each.markup).join('')
}

/** A template that escapes every text, for element content and quoted attributes. `undefined` writes nothing. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (Html | readonly Html[] | string | undefined)[]
): Html {
  let markup = strings[0]!
  for (let i = 0; i < values.length; i++) markup += written(values[i]) + strings[i + 1]!
  return new Html(markup)
}
