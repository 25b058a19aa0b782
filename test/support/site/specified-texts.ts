/**
 * The texts that the product's specification fixes word by word, by the address at which somebody reads them without
 * script. `{…}` in the specification stands for LiveKit.
 */
export const specifiedTexts: Readonly<Record<string, readonly string[]>> = {
  "/": [
    "Deploy LiveKit Server with Confidence",
    "Get Early Access",
    "Early Access",
    ...["443", "80", "7881", "3478/UDP", "50000-60000/UDP", "1935", "7885/UDP"],
    ...["A domain name", "VM access", "99.99%", "100 ms"],
    ...["Documentation", "Services", "Pricing", "Spotlight", "FAQ", "Support"],
    ...["Solutions", "Company", "Legal", "View Documentation", "2023"],
  ],
  "/signup": [
    "Get Started with LiveKit Deploy",
    "Deploy your LiveKit server with confidence",
    "Sign up with Google",
    "← Back to home",
  ],
  "/faq": [
    "Frequently asked questions",
    "AWS, Azure, Google Cloud, Digital Ocean",
    ...["Docker Compose", "SSL", "TURN", "irewall rules", "systemd", "Ingress/Egress"],
    ...["latest", "specific versions", "A domain with DNS access", "VM access"],
    ...["Basic knowledge of cloud infrastructure", "technical support is available"],
  ],
  "/docs": [
    ...["Getting Started", "Configuration Guide", "Maintenance"],
    ...["Sign up for early access", "Configure domain", "Choose cloud provider"],
    ...["Deploy with automated scripts", "Docker Compose", "SSL/TLS", "TURN", "Firewall"],
    ...["Ingress/Egress", "Updating versions", "Monitoring health", "Backups", "Troubleshooting"],
  ],
  "/pricing": [
    "Choose your plan",
    ...["Basic", "Pro", "Enterprise", "109.99", "999.99", "Custom pricing"],
    ...["Single server deployment", "Automated SSL/TLS", "Basic monitoring", "Email support"],
    ...["Community access", "Multiple server deployments", "Advanced monitoring"],
    ...["Priority support", "Custom domain setup", "Ingress/Egress support", "Automatic backups"],
    ...["Custom deployment solutions", "24/7 support", "Dedicated account manager"],
    ...["Custom integration support", "SLA guarantees", "Training sessions"],
    ...["Get started", "Contact sales"],
  ],
  "/support": [
    ...["Email Support", "Email us", "Live Chat", "Start chat", "Documentation", "View docs"],
  ],
  "/spotlight": [
    "Customer Success Stories",
    ...["VirtualClass Pro", "TeleMed Connect", "GlobalMeet", "GameStream Live", "EventConnect"],
    ...["SecureChat Pro", "Education", "Healthcare", "Enterprise", "Gaming", "Events", "Security"],
    "Learn more",
  ],
  "/services": [
    "Our Services",
    ...["Multi-Cloud Deployment", "Security Configuration", "Production Ready"],
    ...["Comprehensive Security", "Advanced Features", "Easy Management", "Configure now"],
  ],
  "/services?service=deployment": [
    "Configure Multi-Cloud Deployment",
    "Configure Service",
    "Select an option",
    ...["AWS", "Azure", "Digital Ocean", "US East", "US West", "EU West", "Asia Pacific"],
    ...["Small", "Medium", "Large"],
  ],
  "/services?service=server": ["Auto", "Manual", "Standard", "Strict", "Custom"],
  "/services?service=security-advanced": [
    "Standard",
    "High",
    "Enterprise",
    "Basic",
    "Advanced",
    "24/7",
  ],
  "/services?service=features": ["RTMP", "WebRTC", "Both", "Local", "S3", "GCS"],
  "/services?service=management": ["Manual", "Weekly", "Monthly", "Daily"],
  "/google-services": [
    ...["Gmail Integration", "Calendar Management", "Task Management", "Document Management"],
    "Example Usage",
  ],
  "/openai-config": [
    "Model Configuration",
    ...["Shimmer", "Alloy", "Echo", "Fable", "Onyx", "Nova", "Update Configuration"],
    "Token Usage Statistics",
    ...["1500", "500", "1000", "400", "100", "800", "200"],
  ],
  "/cloud-architecture": [
    "Cloud Architecture",
    ...["US East", "US Central", "US West", "Brazil", "France", "Germany", "UK", "Japan"],
    ...["Singapore", "India", "Australia", "UAE", "South Africa"],
    ...["North America", "South America", "Europe", "Asia", "Oceania", "Middle East", "Africa"],
    ...["distributed mesh", "multi-home", "no single point of failure", "automatic scaling"],
    ...["open-source SFU", "sub-100ms latency", "99.99%", "failover", "scaling"],
  ],
  "/success": [
    "Payment Successful!",
    "Thank you for your purchase. Your subscription has been activated.",
    "Go to Dashboard",
  ],
  "/no-such-page": ["Unexpected Application Error!"],
};

/** Texts that a dialog, a form or an answer shows. */
export const specifiedAnswers: readonly string[] = [
  "Sign in to your account",
  "Choose your plan",
  "Subscribe Now",
  "Processing...",
  "Redirecting to secure checkout...",
  "Something went wrong. Please try again.",
  "Try again",
  "Invalid plan selected",
  "Save over $300",
  "Operation completed successfully!",
  "Configuration updated successfully!",
  "Updating...",
  "Check your email for the confirmation link",
  "Check your email for the magic link",
  "Check your email for the password reset link",
  "Your password has been updated",
  "You must provide either an email or phone number.",
  "You must provide either an email or phone number and a password",
  "Unexpected Application Error!",
  "Redirecting to dashboard in",
  ...["Send Email", "List Sent", "Respond", "Mail Merge", "Create Event", "Check Availability"],
  ...["Create Task", "Complete Task", "List Tasks", "Create Document", "List Documents", "Search"],
  ...["Active Users", "Uptime", "Latency"],
];

/** Texts of errors that the specification names and the auth client itself has. */
export const specifiedClientErrors: readonly string[] = [
  "Auth session missing!",
  "An error occurred on token verification.",
  "No browser detected.",
  "Not a valid PKCE flow url.",
  "No code detected.",
  "No session defined in URL",
];
