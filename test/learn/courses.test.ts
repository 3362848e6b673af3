import { expect, it } from 'vitest'
import { COURSES, courseOf } from '../../src/learn/courses.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'

const lessons = await builtInLessons()

it.each(Object.keys(COURSES) as (keyof typeof COURSES)[])('the course %s fits into its time', name => {
  const course = courseOf(lessons, name)
  const names = course.map(each => each.name)
  expect(names).toEqual(COURSES[name])
  const minutes = course.reduce((sum, each) => sum + each.minutes, 0)
  expect(minutes).toBeLessThanOrEqual(Number.parseInt(name, 10))
  expect(minutes).toBeGreaterThanOrEqual(Number.parseInt(name, 10) * 0.85)
  for (const { after } of course) expect(names).toEqual(expect.arrayContaining([...after]))
})
