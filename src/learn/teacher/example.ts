import { readFile } from 'node:fs/promises'

const file = new URL('../../../examples/lesson/01-ask-for-less.yaml', import.meta.url)

/** Teachers begin with this lesson. */
export const exampleLesson = (): Promise<string> => readFile(file, 'utf8')
