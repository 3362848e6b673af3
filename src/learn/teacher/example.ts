import { readFile } from 'node:fs/promises'

const file = new URL('../../../examples/lesson/01-ask-for-less.yaml', import.meta.url)

/** The text of a lesson that teachers begin with. */
export const exampleLesson = (): Promise<string> => readFile(file, 'utf8')
