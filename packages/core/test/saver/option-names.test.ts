import { describe, expect, it } from "vitest";

import { InMemorySaver } from "../../src/index.js";

describe("names of options", () => {
  it("one that there is not is refused, and those that there are are named", () => {
    const options = { encrpytion: { keys: [] } } as object;
    expect(() => new InMemorySaver(options)).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        message: expect.stringMatching(/no option "encrpytion".*`encryption`/) as string,
      }),
    );
  });

  it.each([null, "path", 7])("what is no object is refused: %j", (options) => {
    expect(() => new InMemorySaver(options as never)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }),
    );
  });

  it("one that is undefined is as good as absent", () => {
    expect(() => new InMemorySaver({ other: undefined } as object)).not.toThrow();
  });
});
