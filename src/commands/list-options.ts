/** Collects the values of an option that is repeated. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Collects the words of an option: repeated, or separated by spaces or commas. */
export function wordList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(/[\s,]+/).filter(each => each !== '')]
}
