/** The action of a command, whose module is loaded when the command runs. */
export const lazily =
  <Given extends unknown[]>(load: () => Promise<(...given: Given) => Promise<void>>) =>
  async (...given: Given): Promise<void> =>
    (await load())(...given)
