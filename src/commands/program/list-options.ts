/** Collects the values of an option that is repeated. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Collects the values of an option that is repeated, or that separates values by spaces or commas. */
export function wordList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(/[\s,]+/).filter(each => each !== '')]
}
