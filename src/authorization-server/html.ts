/** Markup that is safe to put into a page. Only `html` makes it. */
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

function written(value: Html | readonly Html[] | string | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string')
    return value.toWellFormed().replace(/[&<>"']/g, char => entities[char] ?? char)
  return value instanceof Html ? value.markup : value.map(each => each.markup).join('')
}

/** A template in which every text is escaped, for element content and quoted attributes; undefined is left out. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (Html | readonly Html[] | string | undefined)[]
): Html {
  return new Html(strings.reduce((page, string, i) => page + written(values[i - 1]) + string))
}
