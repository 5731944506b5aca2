/** Whether a name of a host leads to the machine on which the browser runs: nobody else gets anywhere by it. */
export const isForThisMachine = (host: string) =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host)
