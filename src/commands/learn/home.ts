import { findRunningLab } from '../../lab/state/running.js'
import { nextLesson } from '../../learn/engine/find-lesson.js'
import { againLines } from '../../learn/engine/lesson-lines.js'
import { needsOf } from '../../learn/engine/needs.js'
import { sessionOf } from '../../learn/engine/session.js'
import { print } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import {
  inRoomNow,
  type LearnFlags,
  learnContext,
  lessonOfRoom,
  misfit,
  namesFor,
  orBuiltIn,
} from './context.js'
import { lessonLab } from './lab.js'
import { runList } from './list.js'
import { asksAgain, predictAgain } from './prediction.js'
import { opensScreen, serveHiddenLesson, startLesson, startLines, watches } from './start.js'

/** `oauth-lab learn`: goes on with the lesson that was begun, else begins the next one. @returns the exit code */
export async function runLearn(flags: LearnFlags, globals: Globals): Promise<number> {
  if (globals.json) return runList(flags, globals)
  const context = await inRoomNow(await learnContext(flags, globals))
  if (opensScreen(flags, globals)) {
    const { openCourse } = await import('./screen/open.js')
    return openCourse(context, {})
  }
  const { lessons, progress } = context
  const ofRoom = lessonOfRoom(context)
  if (ofRoom !== undefined) return startLesson(ofRoom, flags, context)
  const begun = progress.current === undefined ? undefined : sessionOf(lessons, progress)
  if (begun?.task !== undefined) {
    if (watches(flags, globals)) {
      const { watchLesson } = await import('./watch.js')
      return watchLesson(context, begun.lesson, flags)
    }
    const needs = needsOf(begun.lesson, begun.task, progress)
    const runs = await findRunningLab(globals.home, lab => misfit(lab, needs) === undefined)
    // No other command starts this lab, and learn start begins the lesson again.
    if (needs.hidden && runs === undefined) return serveHiddenLesson(begun.lesson, context)
    const lab = await lessonLab(globals, needs, false)
    print(...startLines(begun.lesson, progress, lab))
    return EXIT.done
  }
  if (begun !== undefined && asksAgain(context, begun)) {
    print(...againLines(begun.lesson, namesFor(begun.current, undefined)), predictAgain(begun.lesson))
    return EXIT.done
  }
  const there = await orBuiltIn(context, flags)
  const next = nextLesson(there.course, progress)
  if (next !== undefined && watches(flags, globals)) return startLesson(next, flags, there)
  return runList(flags, globals)
}
