import process from 'node:process'

/**
 * Records the current SIGINT listeners and returns a function that interrupts only later ones:
 * listeners of packages that other test files loaded would exit this process.
 */
export function noteInterruptible(): () => void {
  const others = new Set(process.listeners('SIGINT'))
  return () => {
    for (const listener of process.listeners('SIGINT')) {
      if (!others.has(listener)) listener('SIGINT')
    }
  }
}
