import type { RunPlan } from './model.js'

/** The client cannot know the order. The first run needs no run before it. */
export function shuffledRuns(given: readonly RunPlan[], random: (below: number) => number): RunPlan[] {
  const runs = [...given]
  for (let i = runs.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const swapped = runs[i]!
    runs[i] = runs[j]!
    runs[j] = swapped
  }
  // Before the first run there is no other login whose value could be used.
  if (runs[0]?.needsEarlier) runs.reverse()
  return runs
}
