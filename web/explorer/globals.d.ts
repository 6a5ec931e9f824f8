// What other scripts put into the page.
interface Window {
  vegaEmbed: any;
}
declare var ishango: { describeSystem(asked: object, languages: object[]): import("./schema.d.ts").System | null };
