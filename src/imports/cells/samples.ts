/** How many cells are shown with a question. */
export const mostSamples = 5
