/** Thrown by a question that cannot be answered within this request: the client has to call again with the answer. */
export class InputNeeded extends Error {
  constructor() {
    super('The client has to be asked first.');
    this.name = 'InputNeeded';
  }
}
