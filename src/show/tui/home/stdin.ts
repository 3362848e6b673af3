const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Stops reading the terminal, so that every key is for the next reader. A stream that was read by `readable` forgets in
 * the next turn that it was, and does not stop before; the stop itself takes a turn more, and would undo a start in
 * between.
 */
export async function stopReading(): Promise<void> {
  await turn()
  process.stdin.pause()
  await turn()
}
