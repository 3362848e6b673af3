import { useEffect, useState } from 'react'

/** The time in milliseconds, moving once a second while `ticking`, and standing still otherwise. */
export function useClock(now: () => number, ticking: boolean): number {
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setTick(tick => tick + 1), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now()
}
