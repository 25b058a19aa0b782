export const invalidPlan = "Invalid plan selected";
export const alreadySubscribed = "You already have an active subscription";
export const somethingWentWrong = "Something went wrong. Please try again.";
