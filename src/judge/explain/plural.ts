/** Returns a count with its noun: `1 line`, `2 lines`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
