import type { Lesson } from './model.js'

/** Lists of lessons for the time that there is. */
export const COURSES = {
  '45m': ['00-printing-service', '01-who-is-who', '02-not-login', '03-registered-addresses', '04-state'],
  '90m': [
    '00-printing-service',
    '01-who-is-who',
    '02-not-login',
    '03-registered-addresses',
    '04-state',
    '05-pkce',
    '06-one-use',
    '07-reading-a-token',
    '08-client-authentication',
    '09-scopes-and-consent',
    '10-resource-server',
    '11-audience',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** `day` is all lessons. */
export type CourseName = keyof typeof COURSES | 'day'

export const COURSE_NAMES: readonly CourseName[] = ['45m', '90m', 'day']

/** All lessons without a course. */
export function courseOf(lessons: readonly Lesson[], course: CourseName | undefined): readonly Lesson[] {
  if (course === undefined || course === 'day') return lessons
  const names: readonly string[] = COURSES[course]
  return lessons.filter(({ name }) => names.includes(name))
}
