import { useStdout } from 'ink'
import { useEffect, useState } from 'react'
import type { Size } from './size.js'
import { sizeOf } from './size.js'

/** The size of the terminal, followed as it changes. */
export function useTerminalSize(): Size {
  const { stdout } = useStdout()
  const [size, setSize] = useState(() => sizeOf(stdout))
  useEffect(() => {
    const read = () => setSize(sizeOf(stdout))
    stdout.on('resize', read)
    return () => {
      stdout.off('resize', read)
    }
  }, [stdout])
  return size
}
